import { createRecord, ingest, messageContext, readMessage, type MessageOrigin } from '@plugin-config/domain';
import {
  nodeRandomness,
  openDatabase,
  postgresIngestionStores,
  postgresPorts,
  type Database,
} from '@plugin-config/persistence';
import { TEST_KEYS } from '@plugin-config/persistence/testing';
import { expect } from 'vitest';
import { test } from '../operator.fixture.ts';

const NOW = new Date();
const ORIGIN: MessageOrigin = {
  channel: 'http',
  receivedAt: NOW,
  streamTime: null,
  projectIds: [],
  pluginIds: [],
  owner: 'account 1',
  deadLetterId: null,
};
const FOR_RECORD_1 = JSON.stringify({ plugin_config_id: 1, message: 'Delivered.' });

async function on(databaseUrl: string, work: (database: Database) => Promise<unknown>): Promise<void> {
  const database = openDatabase({ url: databaseUrl, poolSize: 2, masterKeys: TEST_KEYS });
  await work(database);
  await database.close();
}

/** Ingests messages like the worker. */
function ingestTexts(databaseUrl: string, ...texts: readonly string[]): Promise<void> {
  const context = messageContext({
    clock: { now: () => NOW },
    randomness: nodeRandomness(),
    instanceId: nodeRandomness().uuid(),
    retentionDays: 7,
  });
  const messages = texts.map((text) => readMessage({ text, origin: ORIGIN, position: 0 }, context));
  return on(databaseUrl, (database) => ingest({ stores: postgresIngestionStores(database) }, messages));
}

function addRecord1(databaseUrl: string): Promise<void> {
  const family = { projectId: 1, family: 'plugin_configs' } as const;
  const author = { actor: { keyId: null, label: 'operator' }, requestId: null, at: NOW };
  return on(databaseUrl, (database) =>
    createRecord(
      { ...postgresPorts(database), requireRegistered: false },
      { family, fields: { plugin: 7 }, author },
    ),
  );
}

test('lists dead letters with their reason and the beginning of their text', async ({ cli, databaseUrl }) => {
  expect(await cli(['dead-letter', 'list'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'No dead letters.\n',
  });
  await ingestTexts(databaseUrl, `\u001b[2J${'x'.repeat(100)}`, FOR_RECORD_1);
  const received = NOW.toISOString().replace(/\.\d+/, '');
  expect((await cli(['dead-letter', 'list'])).stdout.split('\n')).toEqual([
    expect.stringMatching(/^ID  RECEIVED AT\s+CHANNEL  OWNER\s+REASON\s+TEXT$/),
    `1   ${received}  http     account 1  not_json               \\u001b[2J${'x'.repeat(76)}…`,
    `2   ${received}  http     account 1  unknown_plugin_config  ${FOR_RECORD_1}`,
    '',
  ]);
});

test('prints JSON with the whole text, page by page', async ({ cli, databaseUrl }) => {
  await ingestTexts(databaseUrl, 'a', 'b', 'c');
  const first = await cli(['dead-letter', 'list', '--limit', '2', '--json']);
  expect(first.stderr).toBe('Showing 2 of 3 dead letters.\n');
  expect(JSON.parse(first.stdout)).toMatchObject([{ id: 1 }, { id: 2 }]);
  const second = await cli(['dead-letter', 'list', '--limit', '2', '--after', '2', '--json']);
  expect(second.stderr).toBe('');
  expect(JSON.parse(second.stdout)).toEqual([
    {
      id: 3,
      received_at: NOW.toISOString(),
      channel: 'http',
      owner: 'account 1',
      reason: 'not_json',
      projects: [],
      stream_time: null,
      text: 'c',
      missing: 0,
    },
  ]);
});

test('a retry stores messages that can now be stored, and keeps the others as dead letters', async ({
  cli,
  databaseUrl,
}) => {
  await ingestTexts(databaseUrl, FOR_RECORD_1, 'no JSON');
  await cli(['project', 'create', '--name', 'Shop']);
  await addRecord1(databaseUrl);
  expect(await cli(['dead-letter', 'retry', '--all'])).toEqual({
    code: 0,
    stdout: 'ID  OUTCOME\n1   stored\n2   not_json\n',
    stderr: '1 stored, 0 already stored, 1 failed again, 0 no longer present.\n',
  });
  const again = await cli(['dead-letter', 'retry', '2', '--json']);
  expect(JSON.parse(again.stdout)).toEqual([{ id: 2, outcome: 'not_json' }]);
  expect(JSON.parse((await cli(['dead-letter', 'list', '--json'])).stdout)).toMatchObject([{ id: 2 }]);
});

test('deletes dead letters by id, or all at once', async ({ cli, databaseUrl }) => {
  await ingestTexts(databaseUrl, 'a', 'b', 'c');
  expect(await cli(['dead-letter', 'drop', '2'])).toEqual({ code: 0, stdout: '', stderr: '1 deleted.\n' });
  expect(JSON.parse((await cli(['dead-letter', 'list', '--json'])).stdout)).toMatchObject([
    { id: 1 },
    { id: 3 },
  ]);
  expect(await cli(['dead-letter', 'drop', '--all'])).toEqual({
    code: 0,
    stdout: '',
    stderr: '2 deleted.\n',
  });
});

test('reports ids without a dead letter', async ({ cli, databaseUrl }) => {
  await ingestTexts(databaseUrl, 'a');
  expect(await cli(['dead-letter', 'retry', '9'])).toMatchObject({
    code: 1,
    stderr: 'Dead letter 9 does not exist.\n',
  });
  expect(await cli(['dead-letter', 'drop', '1', '9'])).toEqual({
    code: 1,
    stdout: '',
    stderr: '1 deleted.\nNot found: 1 of 2 dead letters.\n',
  });
});
