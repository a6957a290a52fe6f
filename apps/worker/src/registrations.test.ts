import { randomBytes } from 'node:crypto';
import { registerPlugin } from '@plugin-config/domain';
import { aesSecretBox, openDatabase, postgresPorts } from '@plugin-config/persistence';
import { until } from '@plugin-config/server/testing';
import { aPlugin, anAuthor, aRecord, aRecordWrite } from '@plugin-config/testing';
import { expect } from 'vitest';
import { test } from './testing/worker.fixture.ts';

const KEY = randomBytes(32);
const SECRETS_KEYS = `first:${KEY.toString('base64')}`;
const SECRET = 'stored before it was a secret';

test('the worker finishes a registration whose process has ended', async ({ bed }) => {
  await using database = disposable(bed.databaseUrl);
  const record = await aRecord(bed.ports, bed.family, { plugin: 77 });
  await bed.ports.records.save(aRecordWrite(record, { config: `{"token":"${SECRET}"}` }));
  const { plugins } = postgresPorts(database);
  const secretBox = aesSecretBox(new Map([['first', KEY]]));
  const configSchema = [{ key: 'token', type: 'string', secret: true }] as const;
  const registered = await registerPlugin(
    { plugins, secretBox },
    aPlugin({ id: 77, configSchema }),
    anAuthor(),
  );
  expect(registered.unsealed).toBe(1);
  // As if the process had been killed between the commit of the registration and the raised revision.
  await bed.rows(`insert into plugin_change (plugin, revision) values (77, 1)`);
  const [before] = await revisions();

  const worker = await bed.serve({ SECRETS_KEYS });
  await until(async () => (await plugins.unsealed([77])).size === 0);
  await until(async () => (await bed.rows('select from plugin_change')).length === 0);
  await worker.stop();
  expect(await bed.rows('select config from config_record where id = $1', [record.id])).toEqual([
    { config: '{"token":"********"}' },
  ]);
  const [after] = await revisions();
  expect(Number(after?.revision)).toBeGreaterThan(Number(before?.revision));
  // What was sealed once is not read again, however many records follow.
  expect(await bed.rows('select sealed_up_to from plugin')).toEqual([{ sealed_up_to: null }]);

  function revisions() {
    const { projectId, family } = bed.family;
    const sql = 'select revision from config_family where project_id = $1 and family = $2';
    return bed.rows<{ readonly revision: string }>(sql, [projectId, family]);
  }
});

function disposable(url: string) {
  const database = openDatabase({ url, poolSize: 2 });
  return { ...database, [Symbol.asyncDispose]: async () => database.close() };
}
