import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { CALLER_TIMEOUTS, type ServerSettings } from './open-server.ts';
import { testServer } from './testing/test-server.ts';
import { until } from './testing/until.ts';

const HALF_A_HEADER = 'GET / HTT';
const WHOLE = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const HEADER = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n';

async function startServer(settings: Partial<ServerSettings>) {
  const app = testServer(settings);
  app.get('/', async () => 'hello');
  const bodies: string[] = [];
  const { promise: received, resolve: receive } = Promise.withResolvers<void>();
  app.post('/', async ({ raw }) => {
    receive();
    bodies.push(await text(raw).catch(() => 'broken off'));
    return 'received';
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { app, bodies, received, port: Number(new URL(url).port) };
}

/** Opens a connection whose caller does not close its side. */
async function openAndSend(port: number, bytes: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  onTestFinished(() => void socket.destroy());
  return socket;
}

function countConnections({ server }: FastifyInstance): Promise<number> {
  return promisify(server.getConnections.bind(server))();
}

test.for([
  ['half a header', HALF_A_HEADER, 408],
  ['a header and no body', HEADER, 408],
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['an endless header block', `GET / HTTP/1.1\r\nA: ${'x'.repeat(20_000)}`, 431],
] as const)(
  '%s gets a response, and the connection is closed even if the caller keeps it open',
  async ([, bytes, status]) => {
    const timeouts = { ...CALLER_TIMEOUTS, headersMs: 100, requestMs: 200, checkMs: 50 };
    const { app, bodies, port } = await startServer({ timeouts });
    const socket = await openAndSend(port, bytes);
    const response = text(socket);
    await until(async () => (await countConnections(app)) === 1);
    await until(async () => (await countConnections(app)) === 0);
    expect(await response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(bodies).toEqual(bytes === HEADER ? ['broken off'] : []);
  },
);

test('at the limit, a new connection is closed', async () => {
  const { bodies, port, received } = await startServer({ maxConnections: 1 });
  const busy = await openAndSend(port, HEADER);
  await received;
  const dropped = await openAndSend(port, WHOLE);
  expect(await text(dropped).catch(() => '')).toBe('');
  busy.write('123456789');
  await once(busy, 'data');
  expect(bodies).toEqual(['123456789']);
});
