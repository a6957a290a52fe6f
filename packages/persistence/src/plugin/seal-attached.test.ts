import type { ConfigField } from '@plugin-config/domain';
import {
  registerAndSeal,
  aFamily,
  anAuthor,
  aPlugin,
  aRecord,
  aRecordWrite,
  memorySecretBox,
} from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { postgresHistoryMasking } from '../activity/postgres-history-masking.ts';
import { postgresPorts } from '../postgres-ports.ts';
import { sentStatements } from '../testing/statements.fixture.ts';

const { onStatement, since } = sentStatements();
const withEmptied = databaseOfFile({ onStatement });

const COUNT = 1_234;
const TOKEN: ConfigField = { key: 'token', type: 'string', secret: true };

test('registering a plugin of many records takes few statements and leaves no secret in the clear', () => {
  return withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const { projectId } = await aFamily(ports);
    await database.pool.query(
      `insert into config_record
          (project_id, family, plugin, enabled, position, config, secrets, deleted, created_at, updated_at, version)
        select $1, 'plugin_configs', 7, false, i, '{"token":"clear","host":"' || i || '"}', '{}', false, now(), now(), 1
        from generate_series(1, $2) i`,
      [projectId, COUNT],
    );
    since();
    const plugin = aPlugin({ id: 7, configSchema: [{ key: 'token', type: 'string', secret: true }] });
    await registerAndSeal({ plugins: ports.plugins, secretBox: memorySecretBox() }, plugin);
    expect(since().length).toBeLessThan(80);
    const { rows } = await database.pool.query<{ count: string }>(
      `select count(*) from config_record
        where config = '{"token":"********","host":"' || position || '"}' and secrets ->> 'token' is not null`,
    );
    expect(rows).toEqual([{ count: String(COUNT) }]);
  });
});

test('portions of configurations and of histories are bounded in bytes', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const text = 'x'.repeat(200_000);
    const changes = [
      { field: 'config.token', before: null, after: 'clear' },
      { field: 'config.text', before: null, after: text },
    ];
    const activity = { ...anAuthor(), activity: 'config_updated' as const, changes };
    for (let i = 0; i < 12; i++) {
      const record = await aRecord(ports, family);
      await ports.records.save({
        ...aRecordWrite(record, { config: JSON.stringify({ token: 'clear', text }) }),
        activity,
      });
    }
    const plugin = aPlugin({ configSchema: [TOKEN] });
    const portions: number[] = [];
    await registerAndSeal(
      { plugins: ports.plugins, secretBox: memorySecretBox() },
      plugin,
      ({ done }) => void portions.push(done),
    );
    expect(portions).toEqual([0, 6, 12]);
    const masked: number[] = [];
    for await (const entries of postgresHistoryMasking(database).maskNoted()) masked.push(entries);
    expect(Math.max(...masked)).toBeLessThan(24);
    const { rows } = await database.pool.query(
      `select (select count(*) from config_record where config like '%clear%')::integer as configurations,
        (select count(*) from activity where changes::text like '%clear%')::integer as histories`,
    );
    expect(rows).toEqual([{ configurations: 0, histories: 0 }]);
  }));

test('a locked family does not prevent other families from being sealed', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const families = [await aFamily(ports), await aFamily(ports)] as const;
    for (const family of families) {
      const record = await aRecord(ports, family);
      await ports.records.save(aRecordWrite(record, { config: '{"token":"clear"}' }));
    }
    const plugin = aPlugin({ configSchema: [TOKEN] });
    const registering = ports.records.lock(families[1], async () => {
      const sealing = registerAndSeal({ plugins: ports.plugins, secretBox: memorySecretBox() }, plugin);
      const other = await aRecord(ports, families[0]);
      await ports.records.save(aRecordWrite(other, { name: 'Written meanwhile' }));
      return { sealing };
    });
    await (
      await registering
    ).sealing;
    const { rows } = await database.pool.query(`select from config_record where config like '%clear%'`);
    expect(rows).toEqual([]);
  }));
