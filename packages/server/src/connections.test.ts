import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from './open-server.ts';
import { until } from './testing/until.ts';

const HALF_A_HEADER = 'GET / HTT';
const WHOLE = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const headerOf = (tenant: number): string =>
  `POST / HTTP/1.1\r\nHost: x\r\nTenant: ${tenant}\r\nContent-Length: 9\r\n\r\n`;
const HEADER = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n';

async function openedServer(maxConnections?: number) {
  const app = openServer({
    trustProxy: false,
    bodyLimit: 1024,
    ...(maxConnections !== undefined && { maxConnections }),
  });
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.get('/', async () => 'hello');
  const bodies: string[] = [];
  let begun = 0;
  const { promise: received, resolve: receive } = Promise.withResolvers<void>();
  app.post('/', async ({ raw }) => {
    if (raw.headers.tenant !== undefined) raw.tenant = Number(raw.headers.tenant);
    begun++;
    receive();
    bodies.push(await text(raw).catch(() => 'broken off'));
    return 'received';
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  return { app, bodies, received, requests: () => begun, port: Number(new URL(url).port) };
}

/** A caller that never closes its side. */
async function sends(port: number, bytes: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  onTestFinished(() => void socket.destroy());
  return socket;
}

test.for([
  ['half a header', HALF_A_HEADER, 408],
  ['a header and no body', HEADER, 408],
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['headers without end', `GET / HTTP/1.1\r\nA: ${'x'.repeat(20_000)}`, 431],
  ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
] as const)(
  '%s is answered, and the connection ends although the caller holds it',
  async ([, bytes, status]) => {
    const { app, bodies, port } = await openedServer();
    Object.assign(app.server, { headersTimeout: 100, requestTimeout: 200 });
    const socket = await sends(port, bytes);
    const answer = text(socket);
    await until(() => app.connections.open === 1);
    await until(() => app.connections.open === 0, 5000);
    expect(await answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(bodies).toEqual(bytes === HEADER ? ['broken off'] : []);
  },
);

test('connections without a request are evicted by new ones, the oldest first', async () => {
  const { app, port } = await openedServer(3);
  const [oldest, second] = [await sends(port, HALF_A_HEADER), await sends(port, HALF_A_HEADER)];
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('hello');
  await sends(port, HALF_A_HEADER);
  await once(oldest.resume(), 'end');
  expect([app.connections.open, app.connections.evicted, second.resume().readableEnded]).toEqual([
    3,
    1,
    false,
  ]);
});

test('if each connection has had a request, an idle one is evicted, and a busy one stays', async () => {
  const { app, bodies, port, received } = await openedServer(2);
  const busy = await sends(port, HEADER);
  await received;
  const idle = await sends(port, WHOLE);
  await once(idle, 'data');
  const newest = await sends(port, WHOLE);
  await Promise.all([once(newest, 'data'), once(idle, 'end')]);
  busy.write('123456789');
  await once(busy, 'data');
  expect([bodies, app.connections.evicted]).toEqual([['123456789'], 1]);
});

test('if all connections are busy, the oldest of the tenant with the most is evicted', async () => {
  const { app, bodies, port, requests } = await openedServer(4);
  const one = await sends(port, headerOf(1));
  const many: Socket[] = [];
  for (let i = 0; i < 3; i++) many.push(await sends(port, headerOf(2)));
  await until(() => requests() === 4);
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('hello');
  await until(() => many[0]?.resume().readableEnded === true);
  one.write('123456789');
  await once(one, 'data');
  await until(() => bodies.length === 2);
  expect([bodies.toSorted(), app.connections.evicted]).toEqual([['123456789', 'broken off'], 1]);
});

test('requests that are not admitted yet count as one tenant', async () => {
  const { port, requests } = await openedServer(4);
  const known = await sends(port, headerOf(1));
  const strangers = await Promise.all([sends(port, HEADER), sends(port, HEADER), sends(port, HEADER)]);
  await until(() => requests() === 4);
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('hello');
  await until(() => strangers.some((socket) => socket.resume().readableEnded));
  known.write('123456789');
  await once(known, 'data');
});

test('if each tenant has one busy connection, a new one is refused', async () => {
  const { port, received } = await openedServer(1);
  const busy = await sends(port, HEADER);
  await received;
  const refused = await sends(port, WHOLE);
  expect(await text(refused)).toBe('');
  busy.write('123456789');
  await once(busy, 'data');
});
