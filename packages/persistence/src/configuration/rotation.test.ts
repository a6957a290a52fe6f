import { rotateSecrets, secretKeyUses, type SecretStore } from '@plugin-config/domain';
import { registerAndSeal, aFamily, aPlugin, aRecord, memorySecretBox } from '@plugin-config/testing';
import { expect, test, vi } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';

const [OLD, BOTH] = [memorySecretBox(['k1']), memorySecretBox(['k2', 'k1'])];

/** Makes each new record wait before its commit, as one does that waits for a standby. */
const WAIT_TO_COMMIT = `
create table may_commit ();
create function wait_to_commit() returns trigger language plpgsql as $$
begin
  while not exists (select from may_commit) loop perform pg_sleep(0.01); end loop;
  return null;
end $$;
create trigger wait_to_commit after insert on config_record execute function wait_to_commit()`;
const SLEEPING = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;

test('a rotation ends only after creations that have read a secret sealed with the old key', () =>
  withDatabase(async ({ pool, ...database }) => {
    const ports = postgresPorts({ pool, ...database });
    const configSchema = [{ key: 'token', type: 'string', secret: true, default: 'seed' }] as const;
    await registerAndSeal({ ...ports, secretBox: OLD }, aPlugin({ id: 9, configSchema }));
    const family = await aFamily(ports);
    await pool.query(WAIT_TO_COMMIT);
    let creating: Promise<unknown> | undefined;
    const commit = () => pool.query('insert into may_commit default values');
    const secrets: SecretStore = {
      ...ports.secrets,
      resealSeeds: async (...given) => {
        if (creating === undefined) {
          creating = aRecord(ports, family, { plugin: 9 });
          await vi.waitUntil(async () => (await pool.query(SLEEPING)).rowCount === 1, 90_000);
        }
        return ports.secrets.resealSeeds(...given);
      },
      untilWritesEnd: async () => {
        if (creating !== undefined) await commit();
        return ports.secrets.untilWritesEnd();
      },
    };
    await rotateSecrets({ secrets, secretBox: BOTH });
    await commit();
    await creating;
    expect(await secretKeyUses(ports)).toEqual([{ keyId: 'k2', records: 1, plugins: 1 }]);
  }));
