import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../open-server.ts';

/** The shortest log entry, with its newline. */
const LINE = '{"plugin_config_id":1,"message":""}\n';
const chunk = (piece: string): string => `${piece.length.toString(16)}\r\n${piece}\r\n`;

/** A server with a path that reads the body, and one that answers without it. Opens connections to it. */
async function server(): Promise<() => Promise<Socket>> {
  const app = openServer({ trustProxy: false, bodyLimit: 1024 });
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.post('/read', async ({ raw: { arriving } }) => {
    const body = await arriving?.body.admit({ maxBytes: 1e6, take: () => undefined });
    return String(body?.reduce((sum, { length }) => sum + length, 0));
  });
  app.post('/ignored', async () => 'ignored');
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
}

const head = (path: string, ...more: readonly string[]): string =>
  ['POST', path, 'HTTP/1.1\r\nHost: x\r\nContent-Type: x/y\r\nTransfer-Encoding: chunked\r\n'].join(' ') +
  more.map((line) => `${line}\r\n`).join('') +
  '\r\n';

test('a body with a line in each piece is read, however many there are', async () => {
  const open = await server();
  const socket = await open();
  socket.write(`${head('/read', 'Connection: close')}${chunk(LINE).repeat(10_000)}0\r\n\r\n`);
  expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 200 [^]*\r\n\r\n${10_000 * LINE.length}$`));
});

test('a body in pieces of one byte is refused, and its connection is closed', async () => {
  const open = await server();
  const socket = await open();
  socket.write(head('/read') + chunk('\n').repeat(2000));
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 [^]*connection: close[^]*too many small pieces/i);
});

test.each(['/ignored', '/missing'])(
  'also after the answer, such a body ends the connection: %s',
  async (path) => {
    const open = await server();
    const socket = await open();
    socket.write(head(path) + chunk('\n'));
    await once(socket, 'data');
    socket.write(chunk('\n').repeat(2000));
    await once(socket, 'close');
  },
);
