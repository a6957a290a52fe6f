import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../open-server.ts';
import { arrivingBody, type ArrivingBody } from './arriving-body.ts';

/** The shortest log entry, with its newline. */
const LINE = '{"plugin_config_id":1,"message":""}\n';
const chunk = (piece: string): string => `${piece.length.toString(16)}\r\n${piece}\r\n`;

/** A server with a path that reads the body, and one that answers without it. Opens connections to it. */
async function server(): Promise<() => Promise<Socket>> {
  const app = openServer({ trustProxy: false, bodyLimit: 1024 });
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.post('/read', async ({ raw: { arriving } }) => {
    const body = await arriving?.admit({ maxBytes: 1e6, take: () => undefined });
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

const limits = { maxBytes: 1024, take: (): void => undefined };
const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 200 }), { minLength: 1, maxLength: 5 });

/** A request whose body is announced, and what has arrived of it. */
function announced(length: number): { readonly request: IncomingMessage; readonly body: ArrivingBody } {
  const request = new IncomingMessage(new Socket());
  request.headers['content-length'] = String(length);
  return { request, body: arrivingBody(request, new ServerResponse(request)) };
}

test('a body in any pieces is complete, and takes no more memory than its content-length', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, fc.boolean(), async (sent, early) => {
      const whole = Buffer.concat(sent);
      const { request, body } = announced(whole.length);
      const admitted = early ? body.admit(limits) : null;
      for (const piece of sent) request.push(Buffer.from(piece.slice().buffer));
      request.push(null);
      const blocks = await (admitted ?? body.admit(limits));
      expect(Buffer.concat(blocks).equals(whole)).toBe(true);
      expect(blocks.map(({ buffer }) => buffer.byteLength)).toEqual([whole.length]);
    }),
    { numRuns: 50, seed: 20_260_101 },
  );
});

test.for(['before', 'after'])('a body that is aborted %s admission is refused', async (when) => {
  const { request, body } = announced(10);
  request.push(Buffer.from('{"a":'));
  if (when === 'before') request.destroy();
  const admitted = body.admit(limits);
  if (when === 'after') request.destroy();
  await expect(admitted).rejects.toThrow('The body is incomplete');
});

test('a body that is too long is refused before it arrives', async () => {
  const { body } = announced(2000);
  await expect(body.admit(limits)).rejects.toThrow('may take no more than');
});

test.for(['before', 'after'])(
  'a body whose memory is not granted is refused: %s it arrives',
  async (when) => {
    const { request, body } = announced(2000);
    const take = (bytes: number): void => {
      if (bytes > 0) throw new Error(`no room for ${bytes}`);
    };
    const whole = Buffer.alloc(2000);
    if (when === 'after') request.push(whole);
    await new Promise(setImmediate);
    const admitted = body.admit({ maxBytes: 4000, take });
    if (when === 'before') request.push(whole);
    await expect(admitted).rejects.toThrow('no room for 2000');
  },
);
