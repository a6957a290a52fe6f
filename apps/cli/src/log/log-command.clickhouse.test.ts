import { createClickHouseDatabase, startClickHouse } from '@plugin-config/clickhouse/testing';
import { openDatabase, postgresLogAppender, separateLogEntryStore } from '@plugin-config/persistence';
import { TEST_KEYS } from '@plugin-config/persistence/testing';
import { clickHouseLog, openClickHouse } from '@plugin-config/clickhouse';
import { expect } from 'vitest';
import { commandProcess, query, test } from '../operator.fixture.ts';

const EVERY = { types: [], source: null, instanceId: null, after: null, before: null, search: null };
const DAY_MS = 86_400_000;
const MOVE = ['log', 'move', '--to', 'clickhouse'];

test('old entries and new ones are in one listing after the move', async ({ cli, databaseUrl }) => {
  await using server = await startClickHouse();
  await using columns = await createClickHouseDatabase(server.url);
  const env = { CLICKHOUSE_URL: columns.url };
  await cli(['project', 'create', '--name', 'One']);
  await query(
    databaseUrl,
    `insert into config_record
      (project_id, family, plugin, enabled, position, deleted, created_at, updated_at, version)
    values (1, 'plugin_configs', 7, false, 1, false, now(), now(), 1)`,
  );
  const database = openDatabase({ url: databaseUrl, poolSize: 2, masterKeys: TEST_KEYS });
  const clickHouse = openClickHouse({ url: columns.url, cluster: null });
  const separateLog = clickHouseLog({ clickHouse });
  const inPostgres = postgresLogAppender(database);
  const inClickHouse = separateLogEntryStore({ ...database, separateLog });
  try {
    await inPostgres.append([entryOf('old', DAY_MS), entryOf('older', 2 * DAY_MS)]);
    await inClickHouse.append([entryOf('new', 0)]);
    expect(await commandProcess(MOVE, { env: { DATABASE_URL: databaseUrl, ...env } })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/: copied 1 of 1\.\n.*: copied 1 of 1\.\nCopied 2 entries\.\n$/s),
    });
    const listed = await inClickHouse.page({ projectId: 1, id: 1 }, EVERY, { limit: 10, offset: 0 });
    expect(listed.items.map(({ message }) => message)).toEqual(['new', 'old', 'older']);
    expect((await cli(MOVE, env)).stderr).toBe('Nothing is left to copy.\n');
    await inPostgres.append([entryOf('by a worker without ClickHouse', DAY_MS)]);
    expect((await cli(MOVE, env)).stderr).toContain('copied 2 of 2');
  } finally {
    await clickHouse.close();
    await database.close();
  }
});

function entryOf(message: string, age: number) {
  return {
    projectId: 1,
    recordId: 1,
    plugin: 7,
    id: crypto.randomUUID(),
    timestamp: new Date(Date.now() - age),
    source: 'PLUGIN',
    type: 'LOG',
    message,
    instanceId: crypto.randomUUID(),
  };
}
