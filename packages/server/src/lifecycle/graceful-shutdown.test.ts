import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { gracefulShutdown } from './graceful-shutdown.ts';

const LARGE_BYTES = 20 * 1024 * 1024;

async function slowServer() {
  const app = fastify({ return503OnClosing: false });
  app.get('/', async () => 'fast');
  app.get('/slow', async () => {
    await sleep(700);
    return 'slow';
  });
  app.get('/large', async () => 'x'.repeat(LARGE_BYTES));
  const end = gracefulShutdown(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  return { app, end, port, open: () => connect(port, '127.0.0.1') };
}

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('accepted requests get a response with connection: close', async () => {
  const { end, open } = await slowServer();
  const [running, waiting] = [open(), open()];
  running.write(request('/slow'));
  waiting.write(request('/'));
  await once(waiting, 'data');
  const ended = end.begin();
  waiting.write(request('/'));
  const [slow, last] = await Promise.all([text(running), text(waiting)]);
  expect(slow).toMatch(/connection: close.*slow$/is);
  expect(last).toMatch(/connection: close.*fast$/is);
  await ended;
});

test('a caller that keeps its connection open does not delay the shutdown', async () => {
  const { end, port, open } = await slowServer();
  const [idle, silent] = [open(), open()];
  idle.write(request('/'));
  await Promise.all([once(idle, 'data'), once(silent, 'connect')]);
  const started = performance.now();
  expect(end.begun).toBe(false);
  const ended = end.begin();
  expect(end.begun).toBe(true);
  await Promise.all([ended, end.begin(), once(idle, 'close'), once(silent, 'close')]);
  expect(performance.now() - started).toBeLessThan(5_000);
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
});

test('a request on an open connection is served after the server has stopped listening', async () => {
  const { app, end, open } = await slowServer();
  const idle = open();
  idle.write(request('/'));
  await once(idle, 'data');
  const ended = end.begin();
  while (app.server.listening) await nextTurn();
  idle.write(request('/'));
  expect(await text(idle)).toMatch(/connection: close.*fast$/is);
  await ended;
});

test('a caller that reads slowly gets the whole response, and then idle connections are closed', async () => {
  const { app, end, open } = await slowServer();
  const idle = open();
  idle.write(request('/'));
  await once(idle, 'data');
  const idleClosed = once(idle, 'close');
  const accepted = once(app.server, 'connection');
  const slow = open().pause();
  slow.write(request('/large'));
  const [connection] = (await accepted) as [Socket];
  while (connection.writableLength === 0) await nextTurn();
  const ended = end.begin();
  while (app.server.listening) await nextTurn();
  // Long enough for several rounds of closing idle connections.
  await sleep(1000);
  expect((await text(slow)).length).toBeGreaterThan(LARGE_BYTES);
  await Promise.all([ended, idleClosed]);
});
