import { once } from 'node:events';
import { connect } from 'node:net';
import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { closeUnreadBodies } from './bound-connections.ts';

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n';

async function sendTo(lingerMs: number) {
  const app = fastify();
  closeUnreadBodies(app, lingerMs);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.post('/', async (_request, reply) => reply.code(429).send());
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  onTestFinished(() => app.close());
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.write(`${HEAD}1234`);
  return socket;
}

test('a caller that keeps sending after its response is disconnected', async () => {
  const socket = await sendTo(100);
  let received = '';
  socket.on('data', (piece: Buffer) => void (received += piece.toString()));
  await once(socket, 'close');
  expect(received).toMatch(/^HTTP\/1.1 429 /);
});

test('a caller that finishes its body in time keeps its connection', async () => {
  const socket = await sendTo(300);
  await once(socket, 'data');
  socket.write('56789');
  await new Promise((resolve) => setTimeout(resolve, 500));
  socket.write(`${HEAD}123456789`);
  const [next] = (await once(socket, 'data')) as [Buffer];
  expect(next.toString()).toMatch(/^HTTP\/1.1 429 /);
});
