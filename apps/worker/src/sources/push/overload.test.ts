import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { WireErrorBody } from '@plugin-config/contract';
import { metricOf } from '@plugin-config/server/testing';
import { expect } from 'vitest';
import { push } from '../../testing/test-bed.ts';
import { anEntry, ndjson } from '../../testing/entries.ts';
import { test } from '../../testing/worker.fixture.ts';

const BODY_MAX = 16 * 1024 * 1024;

/** Declares the length of a body, but sends only a part of it. */
async function sendPartly(url: string, token: string, bytes: number, sent = 1): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = [
    'POST /ingest HTTP/1.1',
    'Host: worker',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/x-ndjson',
    `Content-Length: ${bytes}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${'{'.repeat(sent)}`);
  return socket;
}

const inFlight = (url: string): Promise<number> => metricOf(url, 'ingest_bytes_in_flight');

test('only a key over its share gets 429; when the budget is full, every key gets 503', async ({
  bed,
  worker,
}) => {
  const greedy = await bed.issueToken();
  const others = [await bed.issueToken(), await bed.issueToken(), await bed.issueToken()];
  const huge = Buffer.alloc(BODY_MAX, 'x');
  const sends = (token = ''): Promise<Socket> => sendPartly(worker.url, token, BODY_MAX, BODY_MAX - 1);
  const held = [await sends(greedy), await sends(greedy)];
  await expect.poll(() => inFlight(worker.url)).toBeGreaterThan(2 * BODY_MAX);
  const own = await push<WireErrorBody>(worker.url, huge, { token: greedy });
  expect([own.status, own.body.code, own.headers.get('retry-after')]).toEqual([429, 'throttled', '2']);
  held.push(await sends(others[0]), await sends(others[1]));
  await expect.poll(() => inFlight(worker.url)).toBeGreaterThan(4 * BODY_MAX);
  const beyond = await push<WireErrorBody>(worker.url, huge, { token: others[2] ?? '' });
  expect([beyond.status, beyond.body.code, beyond.headers.get('retry-after')]).toEqual([
    503,
    'unavailable',
    '2',
  ]);
  const small = await push(worker.url, ndjson([anEntry(bed.record.id)]), { token: others[2] ?? '' });
  expect([small.status, small.body]).toEqual([200, { stored: 1, duplicates: 0, dead: 0 }]);
  for (const socket of held) socket.destroy();
  await expect.poll(() => inFlight(worker.url)).toBe(0);
});

test('declared but unsent bodies reserve no memory, and aborted ones release theirs', async ({
  bed,
  worker,
}) => {
  const held = await Promise.all(
    Array.from({ length: 100 }, () => sendPartly(worker.url, bed.token, BODY_MAX)),
  );
  await expect.poll(() => inFlight(worker.url)).toBeGreaterThan(100);
  expect(await inFlight(worker.url)).toBeLessThan(100 * 34 * 1024);
  const whole = await push(worker.url, Buffer.alloc(BODY_MAX, '\n'), { token: bed.token });
  expect(whole.status).toBe(200);
  for (const socket of held) socket.destroy();
  await expect.poll(() => inFlight(worker.url)).toBe(0);
  expect(worker.log()).not.toContain('"status":500');
});

test('stores a body that arrives in a few small pieces', async ({ bed, worker }) => {
  const pieces = [...ndjson([anEntry(bed.record.id)])].map((piece) => Buffer.from(piece));
  const response = await push(worker.url, Readable.from(pieces), { token: bed.token });
  expect([response.status, response.body]).toEqual([200, { stored: 1, duplicates: 0, dead: 0 }]);
});

test('a connection stays usable after a push is rejected while its body is arriving', async ({ worker }) => {
  const size = 1024 * 1024;
  const socket = await sendPartly(worker.url, `phx_${'a'.repeat(43)}`, size, size);
  socket.write('GET /livez HTTP/1.1\r\nHost: worker\r\nConnection: close\r\n\r\n');
  const responses = await text(socket);
  expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
});
