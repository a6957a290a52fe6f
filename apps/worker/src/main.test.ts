import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { migrate } from '@plugin-config/persistence/migrate';
import { CannotStart } from '@plugin-config/server';
import { expect, onTestFinished } from 'vitest';
import { push } from './testing/test-bed.ts';
import { anEntry, ndjson } from './testing/entries.ts';
import { test } from './testing/worker.fixture.ts';

const STOPS_WITHIN_MS = 10_000;

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

test('has --help and --version, and rejects other options', async ({ bed }) => {
  const usage = /^Usage: node apps\/worker\/src\/main\.ts [^\n]*\n$/;
  const [help, version, wrong] = [bed.run({}, ['--help']), bed.run({}, ['--version']), bed.run({}, ['-x'])];
  expect([await help.exited, await version.exited, await wrong.exited]).toEqual([0, 0, 2]);
  expect([help.stdout(), wrong.stderr()]).toEqual([
    expect.stringMatching(usage),
    expect.stringMatching(usage),
  ]);
  expect(version.stdout()).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('exits with a one-line message if the port is in use', async ({ bed }) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const port = portOf(other);
  const { exited, stderr } = bed.run({ WORKER_PORT: String(port) });
  expect(await exited).toBe(2);
  expect(stderr()).toBe(`Port ${port} of 127.0.0.1 is not available. Set WORKER_PORT to a free port.\n`);
});

test('does not start if the retention needs a larger lock table, and names the setting', async ({ bed }) => {
  await expect(bed.serve({ LOG_RETENTION_DAYS: '365' })).rejects.toMatchObject({
    name: CannotStart.name,
    message:
      'LOG_RETENTION_DAYS=365 needs max_locks_per_transaction = 588 or more in PostgreSQL, but it is 64: ' +
      'set it and restart PostgreSQL, or keep fewer days.',
  });
});

test('serves liveness, readiness and metrics', async ({ bed, worker }) => {
  expect([await statusOf(`${worker.url}/livez`), await statusOf(`${worker.url}/readyz`)]).toEqual([200, 200]);
  await push(worker.url, ndjson([anEntry(bed.record.id)]), { token: bed.token });
  const metrics = async (): Promise<string> => (await fetch(`${worker.url}/metrics`)).text();
  for (const name of [
    'log_entries_total{outcome="stored",reason=""} 1',
    'ingest_batch_entries_count{source="http"} 1',
    'ingest_batch_duration_seconds_count{source="http"} 1',
    'ingest_bytes_in_flight 0',
    'gate_waiting{work="request"} 0',
    'dead_letters 0',
    'tasks_due{kind="job"} 0',
    'tasks_running{kind="job"} 0',
    'http_requests_total',
    'process_resident_memory_bytes',
  ]) {
    await expect.poll(metrics).toContain(`\n${name}`);
  }
});

test('is alive but not ready until the database is up', async ({ bed }) => {
  const empty = new URL(`${bed.databaseUrl}_empty`);
  const name = empty.pathname.slice(1);
  await bed.rows(`create database ${name} template template0`);
  const proxy = await closedProxy(empty);
  onTestFinished(async () => {
    proxy.close();
    await bed.rows(`drop database ${name} with (force)`);
  });
  using worker = await bed.serve({ DATABASE_URL: proxy.url });
  expect(await statusOf(`${worker.url}/livez`)).toBe(200);
  const ready = await fetch(`${worker.url}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([503, { detail: 'The database is unreachable.' }]);
  proxy.open();
  const unprepared = await fetch(`${worker.url}/readyz`);
  expect(await unprepared.json()).toMatchObject({ detail: expect.stringContaining('migrate') });
  await migrate(proxy.url);
  expect(await statusOf(`${worker.url}/readyz`)).toBe(200);
  await worker.stop();
});

/** A proxy in front of the database that closes each connection immediately until it is opened. */
async function closedProxy(database: URL) {
  let isOpen = false;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (isOpen) {
      const through = connect(Number(database.port), database.hostname);
      through.on('error', () => socket.destroy());
      socket.pipe(through).pipe(socket);
    } else socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = Object.assign(new URL(database), { host: `127.0.0.1:${portOf(server)}` }).href;
  return { url, open: () => void (isOpen = true), close: () => void server.close() };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

test('a stopping worker stores the bodies that it has received, and responds', async ({ bed }) => {
  const running = bed.run();
  const url = await running.url();
  const bodies = Array.from({ length: 8 }, () => Array.from({ length: 1000 }, () => anEntry(bed.record.id)));
  const acknowledged: string[] = [];
  const rejected: unknown[] = [];
  const idle = connect(Number(new URL(url).port), '127.0.0.1');
  idle.on('error', () => undefined);
  const pushing = bodies.map(async (entries) => {
    try {
      const { status } = await push(url, ndjson(entries), { token: bed.token });
      if (status === 200) acknowledged.push(...entries.map(({ id }) => id));
    } catch (error) {
      rejected.push(error);
    }
  });
  await Promise.race(pushing);
  const started = performance.now();
  running.child.kill('SIGTERM');
  await Promise.all(pushing);
  expect(await running.exited).toBe(0);
  expect(performance.now() - started).toBeLessThan(STOPS_WITHIN_MS);
  const stored = await bed.rows<{ id: string }>('select id from log_entry where id = any ($1)', [
    bodies.flat().map(({ id }) => id),
  ]);
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(stored.map(({ id }) => id).toSorted()).toEqual(acknowledged.toSorted());
});

test('is no longer ready after a stop signal', async ({ bed }) => {
  using worker = await bed.serve();
  const stopped = worker.stop();
  const ready = await fetch(`${worker.url}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([
    503,
    { detail: 'The service is shutting down.' },
  ]);
  await stopped;
});
