import { connect } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@plugin-config/persistence';
import { TEST_SECRETS_KEYS } from '@plugin-config/persistence/testing';
import { CannotStart } from '@plugin-config/server';
import { expect } from 'vitest';
import { caller } from './testing/caller.ts';
import { runService, serveHere } from './testing/running-service.ts';
import { test } from './testing/service.fixture.ts';

const CLIENTS = 8;
/** The errors of a connection that was opened, pending or idle when the server stopped listening. */
const NOT_ACCEPTED = new Set(['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET']);

test('an invalid setting ends the process with one line', async () => {
  const service = runService({
    DATABASE_URL: 'postgres://x/y',
    SECRETS_KEYS: TEST_SECRETS_KEYS,
    RATE_LIMIT_PER_MINUTE: 'many',
  });
  expect([await service.exited, service.stderr(), service.stdout()]).toEqual([
    2,
    'Invalid RATE_LIMIT_PER_MINUTE: expected a number of requests per key per minute, 1 to 1000000.\n',
    '',
  ]);
});

test('an app does not start on an older schema, and a running app is no longer ready', async ({
  service,
}) => {
  const database = openDatabase({ url: service.databaseUrl, poolSize: 1 });
  const env = { DATABASE_URL: service.databaseUrl, SECRETS_KEYS: TEST_SECRETS_KEYS };
  const change = async (sql: string): Promise<void> => void (await database.pool.query(sql));
  await change('create table backup as select * from schema_migration');
  using before = await serveHere(env);
  const ready = async (): Promise<unknown> => (await fetch(`${before.url}/readyz`)).json();
  try {
    expect(await ready()).toEqual({ status: 'ok' });
    await change('delete from schema_migration where id = (select max(id) from backup)');
    await expect(serveHere(env)).rejects.toMatchObject({
      name: CannotStart.name,
      message: expect.stringMatching(/^[^\n]* older [^\n]*npm run --silent cli -- migrate$/),
    });
    expect(await ready()).toMatchObject({ detail: expect.stringContaining('older') });
  } finally {
    await change('truncate schema_migration; insert into schema_migration table backup; drop table backup');
    await database.close();
  }
});

test('a shutdown under load completes all accepted requests and exits with 0', async ({
  service,
  project,
}) => {
  const running = runService({ DATABASE_URL: service.databaseUrl, SECRETS_KEYS: TEST_SECRETS_KEYS });
  const url = await running.url();
  const { token } = await service.issueKey();
  const call = caller({ base: `${url}/api/projects/${project.id}`, token });
  const connectionErrors: unknown[] = [];
  const acknowledged: number[] = [];
  const client = async (): Promise<void> => {
    for (;;) {
      const response = await call('POST', '/plugin_configs', { body: { plugin: 1 } }).catch(
        (error: unknown) => {
          connectionErrors.push(error);
        },
      );
      if (response === undefined) return;
      expect([response.status, response.text]).toEqual([201, response.text]);
      acknowledged.push(response.body.id);
    }
  };
  const idle = connect(Number(new URL(url).port), '127.0.0.1');
  idle.on('error', () => undefined);
  // The process cannot exit before this request is complete.
  const held = connect(Number(new URL(url).port), '127.0.0.1');
  held.write('GET /readyz HTTP/1.1\r\nHost: x\r\n');
  const clients = Array.from({ length: CLIENTS }, client);
  await sleep(500);
  const started = performance.now();
  running.child.kill('SIGTERM');
  const isStopping = () =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status === 503,
      () => true,
    );
  await expect.poll(isStopping, { interval: 10 }).toBe(true);
  held.write('\r\n');
  expect(await text(held)).toMatch(/^HTTP\/1.1 503 [^]*connection: close/i);
  expect(await running.exited).toBe(0);
  expect(performance.now() - started).toBeLessThan(5000);
  await Promise.all(clients);
  const causes = connectionErrors.map((error) => (error as { cause?: { code?: string } }).cause?.code);
  expect(new Set(causes)).toSatisfy((codes: Set<string>) => codes.isSubsetOf(NOT_ACCEPTED));
  const { body } = await caller({ base: service.url, token })<{ count: number }>(
    'GET',
    `/api/projects/${project.id}/plugin_configs?limit=1`,
  );
  expect(body.count).toBe(acknowledged.length);
});

test('a shutdown ends the long polls of runtimes', async ({ service, project }) => {
  using app = await serveHere({ DATABASE_URL: service.databaseUrl, SECRETS_KEYS: TEST_SECRETS_KEYS });
  const { token } = await service.issueKey();
  const feed = `${app.url}/api/projects/${project.id}/plugin_configs/runtime`;
  const authorization = `Bearer ${token}`;
  const etag = (await fetch(feed, { headers: { authorization } })).headers.get('etag') ?? '';
  const wait = () => fetch(`${feed}?wait=50`, { headers: { authorization, 'if-none-match': etag } });
  const waiting = Promise.all(Array.from({ length: 20 }, wait));
  const metrics = async () => (await fetch(`${app.url}/metrics`)).text();
  await expect.poll(metrics).toContain('\nruntime_waits 20\n');
  const started = performance.now();
  const stopped = app.stop();
  for (const { status, headers } of await waiting)
    expect([status, headers.get('connection')]).toEqual([304, 'close']);
  await stopped;
  expect(performance.now() - started).toBeLessThan(5_000);
});

test('an app stops when its parent process is gone', async ({ service }) => {
  const running = runService({ DATABASE_URL: service.databaseUrl, SECRETS_KEYS: TEST_SECRETS_KEYS });
  await running.url();
  running.child.disconnect();
  expect(await running.exited).toBe(0);
});

test('a second signal ends the process immediately', { tags: ['long'] }, async ({ service }) => {
  const running = runService({ DATABASE_URL: service.databaseUrl, SECRETS_KEYS: TEST_SECRETS_KEYS });
  const url = await running.url();
  const { token } = await service.issueKey();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const head = [
    'PATCH /api/projects/1/plugin_configs/1 HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Content-Length: 9',
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n{`);
  await once(socket, 'data');
  running.child.kill('SIGINT');
  await expect.poll(() => running.stdout()).toContain('"msg":"stopping"');
  // Signals within a second count as one.
  await sleep(1200);
  expect(running.child.exitCode).toBeNull();
  running.child.kill('SIGINT');
  expect(await running.exited).toBe(1);
});

test('without a database, the app is alive but not ready', async () => {
  using app = await serveHere({
    DATABASE_URL: 'postgres://nobody:hunter2@127.0.0.1:1/none',
    SECRETS_KEYS: TEST_SECRETS_KEYS,
  });
  const { url } = app;
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([
    503,
    { type: 'server_error', code: 'unavailable' },
  ]);
  const token = `phx_${'a'.repeat(43)}`;
  const response = await caller({ base: url, token })('GET', '/api/projects');
  expect([response.status, response.body]).toMatchObject([
    503,
    { type: 'server_error', code: 'unavailable', attr: null },
  ]);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  await app.stop();
  expect(app.log()).not.toContain('hunter2');
});
