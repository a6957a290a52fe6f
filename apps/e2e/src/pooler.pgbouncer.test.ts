/** @module-tag long */

import { openDatabase } from '@plugin-config/persistence';
import { migrate } from '@plugin-config/persistence/migrate';
import { createTestDatabase, TEST_KEYS, TEST_SECRETS_KEYS } from '@plugin-config/persistence/testing';
import { runProcess, until } from '@plugin-config/server/testing';
import { expectGuarantees } from '@plugin-config/testing';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { MAINS } from './testing/apps.ts';
import { startPgbouncer, type Pgbouncer } from './testing/pgbouncer.ts';
import { runService, type RunningService } from './testing/running-service.ts';
import { take } from './testing/take.ts';

const REJECTION =
  /^The connection pooler in front of the database switches connections between transactions, [^\n]*pool_mode = session[^\n]*\n?$/;

async function pooler(mode: string): Promise<Pgbouncer> {
  const started = await startPgbouncer(inject('databaseAdminUrl'), mode);
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

async function query<T extends object>(url: string, sql: string): Promise<readonly T[]> {
  const database = openDatabase({ url, poolSize: 2, masterKeys: TEST_KEYS });
  try {
    return (await database.pool.query<T>(sql)).rows;
  } finally {
    await database.close();
  }
}

/** Creates a database without migrations. */
async function emptyDatabase(): Promise<string> {
  const adminUrl = inject('databaseAdminUrl');
  const name = `empty_${crypto.randomUUID().replaceAll('-', '')}`;
  await query(adminUrl, `create database ${name}`);
  onTestFinished(async () => void (await query(adminUrl, `drop database ${name} with (force)`)));
  return new URL(`/${name}`, adminUrl).href;
}

const heldLocks = (url: string): Promise<readonly object[]> =>
  query(
    url,
    `select from pg_locks where locktype = 'advisory'
     and database = (select oid from pg_database where datname = current_database())`,
  );

async function statusOf(service: RunningService): Promise<readonly number[]> {
  const urls = await Promise.all([service.http.url(), service.worker.url()]);
  return Promise.all(urls.map(async (url) => (await fetch(`${url}/readyz`)).status));
}

test('migrations run through a pooler in session mode, and a failed one leaves no lock', async () => {
  const { through } = await pooler('session');
  const url = await emptyDatabase();
  await query(url, 'create table job (id integer)');
  await expect(migrate(through(url))).rejects.toThrow('already exists');
  expect(await heldLocks(url)).toEqual([]);
  await query(url, 'drop table job');
  expect(await migrate(through(url))).not.toEqual([]);
  expect(await migrate(through(url))).toEqual([]);
  expect(await heldLocks(url)).toEqual([]);
});

describe('through a pooler in session mode', () => {
  let between: Pgbouncer;
  let service: RunningService;

  beforeAll(async () => {
    between = await startPgbouncer(inject('databaseAdminUrl'), 'session');
    service = await runService({}, { through: between.through });
  });

  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await between[Symbol.asyncDispose]();
  });

  test('both apps work, and recover when the pooler is restarted', async () => {
    const { kill, start } = between;
    const tenant = await service.tenant();
    const id = await tenant.attach();
    const works = async (): Promise<readonly number[]> => {
      const responses = [
        tenant.call('GET', '/plugin_configs'),
        tenant.call('PATCH', `/plugin_configs/${id}`, { description: crypto.randomUUID() }),
        tenant.call('GET', `/plugin_configs/${id}/logs`),
        tenant.push([{ plugin_config_id: id, message: 'Delivered' }]),
      ];
      return (await Promise.all(responses)).map(({ status }) => status);
    };
    expect(await works()).toEqual([200, 200, 200, 200]);
    expect(await statusOf(service)).toEqual([200, 200]);
    await kill();
    expect(await works()).toEqual([503, 503, 503, 503]);
    expect(await statusOf(service)).toEqual([503, 503]);
    await start();
    await until(async () => (await statusOf(service)).every((status) => status === 200));
    expect(await works()).toEqual([200, 200, 200, 200]);
  });

  test('a stream sends every entry once, even after a restart of the pooler', async () => {
    const { kill, start } = between;
    const tenant = await service.tenant();
    const id = await tenant.attach();
    const opened = Promise.withResolvers<void>();
    const stream = tenant.pluginConfigs.streamLogs(id, {}, { onOpen: () => opened.resolve() });
    const followed = take(stream, 3);
    await opened.promise;
    /** An entry with an id, so repeated pushes store it once. */
    const entry = (message: string) => ({
      plugin_config_id: id,
      id: crypto.randomUUID(),
      timestamp: new Date().toISOString(),
      message,
    });
    const push = async (line: ReturnType<typeof entry>): Promise<number> =>
      (await tenant.push([line])).status;
    expect(await push(entry('before'))).toBe(200);
    await kill();
    expect(await push(entry('rejected'))).toBe(503);
    await start();
    const after = entry('after');
    await until(async () => (await push(after)) === 200);
    expect(await push(entry('last'))).toBe(200);
    expectGuarantees(await followed, ['before', 'after', 'last']);
  });
});

test.for(['transaction', 'statement'])(
  'migrate and both apps reject a pooler in %s mode with one line',
  async (mode) => {
    const { through } = await pooler(mode);
    const empty = await emptyDatabase();
    await expect(migrate(through(empty))).rejects.toThrow(REJECTION);
    expect(await heldLocks(empty)).toEqual([]);
    const { url, drop } = await createTestDatabase(inject('databaseAdminUrl'));
    onTestFinished(drop);
    const env = { DATABASE_URL: through(url), SECRETS_KEYS: TEST_SECRETS_KEYS, PORT: '0', WORKER_PORT: '0' };
    for (const app of Object.values(MAINS).map((main) => runProcess({ main, env }))) {
      expect(await app.exited).toBe(2);
      expect(app.stderr()).toMatch(REJECTION);
    }
  },
);

test('a pooler in transaction mode is rejected even if it is busy', async () => {
  const { through } = await pooler('transaction');
  const url = await emptyDatabase();
  const busy = openDatabase({ url: through(url), poolSize: 20, masterKeys: TEST_KEYS });
  const stopping = new AbortController();
  const others = Array.from({ length: 20 }, async () => {
    while (!stopping.signal.aborted) await busy.pool.query('select pg_sleep(0.002)');
  });
  try {
    for (let i = 0; i < 10; i += 1) await expect(migrate(through(url))).rejects.toThrow(REJECTION);
  } finally {
    stopping.abort();
    await Promise.all(others);
    await busy.close();
  }
});
