import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import type { Access } from '../access/access.ts';
import { testServer } from '../testing/test-server.ts';
import { until } from '../testing/until.ts';
import { reserveIfLarge, sendReservedJson } from './send-json.ts';

const MIB = 1024 * 1024;

const SHARED = Buffer.alloc(20 * MIB, 'x');
/** Two of these exceed the share of an account. */
const OWN = 40 * MIB;

function sendBytes(reply: FastifyReply, body: Buffer): void {
  reserveIfLarge(reply, body);
  sendReservedJson(reply, body);
}

function accessOfAccount(id: number): Access {
  return { key: { id, accountId: id, projectIds: [] } } as unknown as Access;
}

async function startServer() {
  const app = testServer();
  app.addHook('onRequest', async (request) => {
    request.access = accessOfAccount(Number(request.headers.tenant ?? 1));
  });
  app.get('/own', (_request, reply) => sendBytes(reply, Buffer.alloc(OWN, 'x')));
  app.get('/page', (_request, reply) => sendBytes(reply, Buffer.alloc(4 * MIB, 'x')));
  app.get('/shared', (_request, reply) => sendBytes(reply, SHARED));
  app.get('/small', (_request, reply) => sendBytes(reply, Buffer.from('{}')));
  const [received, respond] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  app.get('/late', (_request, reply) => {
    received.resolve();
    void respond.promise.then(() => sendBytes(reply, Buffer.from('{}')));
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const send = (path: string, tenant = 1): Socket => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nTenant: ${tenant}\r\n\r\n`);
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  return { app, url, send, late: { received: received.promise, respond: respond.resolve } };
}

test('unsent responses are reserved within the share of an account, and released with their connection', async () => {
  const { app, url, send } = await startServer();
  const unsent = send('/own').pause();
  await until(() => app.gate.memory.used > 0);
  expect(app.gate.memory.used).toBe(OWN);
  const rejected = await fetch(`${url}/own`);
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '2']);
  expect(await rejected.json()).toMatchObject({ code: 'throttled', attr: null });
  expect((await fetch(`${url}/small`)).status).toBe(200);
  unsent.destroy();
  await until(() => app.gate.memory.used === 0);
  expect((await (await fetch(`${url}/own`)).text()).length).toBe(OWN);
  await until(() => app.gate.memory.used === 0);
});

test('an account gets its response even if many others do not read theirs', async () => {
  const { app, url, send } = await startServer();
  for (let tenant = 1; tenant <= 9; tenant++) send('/own', tenant).pause();
  await until(() => app.gate.memory.used >= 4 * OWN);
  await sleep(200);
  expect(app.gate.memory.used).toBeLessThan(256 * MIB - OWN);
  const page = await fetch(`${url}/page`, { headers: { tenant: '7' } });
  expect((await page.text()).length).toBe(4 * MIB);
});

test('responses that share a body reserve it once, until the last of them is sent', async () => {
  const { app, url, send } = await startServer();
  const sockets = [send('/shared').pause(), send('/shared').pause()];
  await until(() => app.gate.memory.used > 0);
  expect((await (await fetch(`${url}/shared`)).text()).length).toBe(20 * MIB);
  expect(app.gate.memory.used).toBe(20 * MIB);
  for (const socket of sockets) socket.destroy();
  await until(() => app.gate.memory.used === 0);
});

/** Emits what Node emits for a connection without progress. */
function timeOut(socket: Socket): void {
  expect(socket.timeout).toBe(30_000);
  socket.emit('timeout');
}

test('a connection whose response makes no progress is closed', async () => {
  const { app, send } = await startServer();
  const accepted = once(app.server, 'connection');
  const unsent = send('/own').pause();
  const [connection] = (await accepted) as [Socket];
  await until(() => connection.writableLength > 0);
  const closed = once(unsent, 'close');
  timeOut(connection);
  unsent.resume();
  await closed;
  expect(connection.destroyed).toBe(true);
});

test('a connection with a slow handler or without a request is not closed', async () => {
  const { app, send, late } = await startServer();
  const accepted = once(app.server, 'connection');
  const socket = send('/late');
  const [connection] = (await accepted) as [Socket];
  await late.received;
  timeOut(connection);
  late.respond();
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toContain('200 OK');
  await until(() => connection.timeout !== app.server.timeout);
  socket.end('GET /small HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toContain('200 OK');
});
