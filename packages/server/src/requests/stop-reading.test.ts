import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { stopReading } from './stop-reading.ts';

const CHUNK = `40\r\n${'x'.repeat(64)}\r\n`;
const CHUNKS = 50_000;
/** What Node reads at once. */
const READ_BYTES = 64 * 1024;

test('a connection is read no further, even while its request takes pieces, until it may go on', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { promise, resolve } = Promise.withResolvers<() => void>();
  let received = 0;
  const ended = new Promise<void>((done) => {
    server.once('request', (request: IncomingMessage) => {
      request.once('data', () => resolve(stopReading(request.socket)));
      request.on('data', ({ length }: Buffer) => void (received += length)).on('end', done);
    });
  });
  const sender = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void sender.destroy());
  sender.write(
    `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNK.repeat(CHUNKS)}0\r\n\r\n`,
  );
  const goOn = await promise;
  await sleep(50);
  expect(received).toBeLessThanOrEqual(READ_BYTES);
  goOn();
  await ended;
  expect(received).toBe(64 * CHUNKS);
});
