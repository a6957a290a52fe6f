import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVERY_PROJECT, isVoid } from '@plugin-config/domain';
import { startEmbeddedPostgres } from '@plugin-config/embedded-postgres';
import { anAuthor, aFamily, aKeyHash, aRecord, aRecordWrite } from '@plugin-config/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase, type EncryptedDatabase } from './configuration/encrypted-database.ts';
import { migrate } from './schema/migrate.ts';
import { isWritable } from './postgres/is-writable.ts';
import { postgresPorts } from './postgres-ports.ts';
import { withDatabase } from './testing/postgres-ports.fixture.ts';
import { TEST_KEYS } from './testing/test-keys.ts';

const QUERY = { keyHash: aKeyHash(1), project: 1, family: 'plugin_configs', recordId: null } as const;
const UNAVAILABLE = { name: 'DomainError', code: 'unavailable', retryAfterSeconds: 2 };

test('every port fails at once as unavailable if no server is listening', async () => {
  const { projects, records, probe, keys, plugins } = postgresPorts(
    await opened('postgres://nobody@127.0.0.1:1/none'),
  );
  const family = { projectId: 1, family: 'plugin_configs' } as const;
  const asked = [
    () => probe.read(QUERY),
    () => records.find({ ...family, id: 1 }),
    () => records.lock(family, async () => 1),
    () => projects.find(1),
    () => keys.list({ limit: 1, offset: 0 }, null),
    () => plugins.remove(1, anAuthor()),
  ];
  for (const ask of asked) await expect(ask()).rejects.toMatchObject(UNAVAILABLE);
});

test('connecting to a server that never responds fails within the connect timeout', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { probe } = postgresPorts(await opened(`postgres://nobody@127.0.0.1:${port}/none`));
  const start = performance.now();
  await expect(probe.read(QUERY)).rejects.toMatchObject(UNAVAILABLE);
  expect(performance.now() - start).toBeLessThan(15_000);
});

test('connections that the server closes are replaced', () =>
  withDatabase(async (database, url) => {
    const ports = postgresPorts(database);
    const record = await aRecord(ports, await aFamily(ports));
    const other = await opened(url);
    for (let i = 0; i < 5; i++) {
      await Promise.allSettled([
        ...Array.from({ length: 5 }, () => ports.records.find(record)),
        other.pool.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        ),
      ]);
    }
    await expect.poll(() => ports.records.find(record).catch(String)).toMatchObject({ value: record });
    expect(await ports.records.save(aRecordWrite(record, { name: 'After it' }))).toMatchObject({
      name: 'After it',
    });
    expect(await ports.projects.find(record.projectId)).not.toBeNull();
  }));

test('a read-only server serves reads, and changes fail as unavailable', () =>
  withDatabase(async (database, url) => {
    const ports = postgresPorts(database);
    const record = await aRecord(ports, await aFamily(ports));
    await database.pool.query(
      `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`,
    );
    const reading = postgresPorts(await opened(url));
    expect((await reading.records.find(record)).value).toEqual(record);
    await expect(reading.records.save(aRecordWrite(record, { name: 'x' }))).rejects.toMatchObject(
      UNAVAILABLE,
    );
    await expect(reading.projects.create({ name: 'x' }, anAuthor({ at: new Date() }))).rejects.toMatchObject(
      UNAVAILABLE,
    );
  }));

test('requests to a frozen server time out, and succeed again when it resumes', async () => {
  const server = await serverOfOurOwn();
  const database = await opened(server.url, 1_000);
  const ports = postgresPorts(database);
  const record = await aRecord(ports, await aFamily(ports));
  const backends = await backendsOf(database);
  const frozen = [server.pid, ...backends];
  for (const pid of frozen) process.kill(pid, 'SIGSTOP');
  const start = performance.now();
  try {
    const asking = [
      ...Array.from({ length: 20 }, () => ports.probe.read(QUERY)),
      ports.records.lock(record, async () => 1),
      ports.records.save(aRecordWrite(record, { name: 'Frozen' })),
      ports.projects.find(record.projectId),
      isWritable(database),
    ];
    for (const outcome of await Promise.allSettled(asking)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
    }
    expect(performance.now() - start).toBeLessThan(15_000);
  } finally {
    for (const pid of frozen) process.kill(pid, 'SIGCONT');
  }
  await expect
    .poll(() => ports.records.find(record).catch(String))
    .toMatchObject({ value: { id: record.id } });
});

test('what followers of all projects have seen is void once the server has recovered from a crash', async () => {
  const server = await serverOfOurOwn();
  const database = await opened(server.url);
  const { feed } = postgresPorts(database);
  const query = { family: 'plugin_configs', filter: EVERY_PROJECT, after: 0, limit: 1 } as const;
  const { at } = await feed.all(query);
  expect(isVoid(at, (await feed.all(query)).at)).toBe(false);
  process.kill((await backendsOf(database))[0] as number, 'SIGKILL');
  await expect.poll(async () => isVoid(at, (await feed.all(query)).at), { interval: 50 }).toBe(true);
});

async function opened(url: string, statementTimeoutMs?: number): Promise<EncryptedDatabase> {
  const database = openDatabase({ url, poolSize: 5, statementTimeoutMs, masterKeys: TEST_KEYS });
  onTestFinished(() => database.close());
  return database;
}

async function serverOfOurOwn() {
  const dataDir = await mkdtemp(join(tmpdir(), 'plugin-config-frozen-'));
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  onTestFinished(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true });
  });
  await migrate(server.url);
  return server;
}

async function backendsOf({ pool }: EncryptedDatabase): Promise<readonly number[]> {
  const clients = await Promise.all(Array.from({ length: 5 }, () => pool.connect()));
  for (const client of clients) client.release();
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'client backend'`,
  );
  return rows.map(({ pid }) => pid);
}
