import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { flood } from '../testing/flood.ts';
import { memoryOf, MIB } from '../testing/memory-of.ts';
import { neighbour } from '../testing/neighbour.ts';
import { creationHead, pushHead, rawSender } from '../testing/raw-sender.ts';
import { serviceOfFile } from '../testing/running-service.ts';

/** As many as the memory of an account has room for. */
const LARGE_BODIES = 50;
const ENDLESS_BODIES = 300;
const REJECTED_BODIES = 100;
const PIECE = Buffer.alloc(MIB, 'x');

const running = serviceOfFile();

/** Returns the first line of the response, or `closed` if the connection is closed instead. */
async function firstLine(socket: Socket): Promise<string> {
  const ended = once(socket, 'end').then(() => null);
  const response = await Promise.race([once(socket, 'data'), ended]).catch(() => null);
  return response === null ? 'closed' : (String(response[0]).split('\r\n', 1)[0] ?? '');
}

test('bodies that never end take little memory', async () => {
  const { http, tenant } = running();
  const greedy = await tenant();
  const before = memoryOf(http).most;
  const endless = creationHead(greedy, `Content-Length: ${MIB}`) + ' '.repeat(MIB - 1);
  const senders = await Promise.all(
    Array.from({ length: ENDLESS_BODIES }, async () => {
      const socket = await rawSender(greedy.api);
      socket.write(endless);
      return socket;
    }),
  );
  const other = await neighbour(await tenant());
  await sleep(1000);
  await other.expectUnaffected();
  expect(memoryOf(http).most - before).toBeLessThan(200 * MIB);
  for (const socket of senders) socket.destroy();
});

test('large bodies that arrive at the same time are parsed one at a time', { tags: ['long'] }, async () => {
  const { tenant } = running();
  const greedy = await tenant();
  // Close to the limits of a body: 1 MiB, and 32,768 values. Numbers that lose precision take longest.
  const list = Array.from({ length: 32_000 }, () => '1234567890'.repeat(3)).join(',');
  const text = `{"plugin":7,"unknown":[${list}]}`;
  const head = creationHead(greedy, `Content-Length: ${text.length}`);
  const senders = await Promise.all(
    Array.from({ length: LARGE_BODIES }, async () => {
      const socket = await rawSender(greedy.api);
      socket.write(head + text.slice(0, -1));
      return socket;
    }),
  );
  await sleep(1000);
  const other = await neighbour(await tenant());
  const responses = senders.map(async (socket) => {
    const line = firstLine(socket);
    socket.write(text.slice(-1));
    return line;
  });
  for (const line of await Promise.all(responses)) expect(line).toMatch(/ (?:201|429|503) /);
  await other.expectUnaffected();
  for (const socket of senders) socket.destroy();
});

test(
  'callers that keep sending a rejected body do not slow down their neighbours',
  { tags: ['long'] },
  async () => {
    const greedy = await running().tenant();
    await flood(running(), { callers: REJECTED_BODIES, allowed: [413] }, async (n) => {
      const [head, api] = n % 2 === 0 ? [creationHead, greedy.api] : [pushHead, greedy.ingestion];
      const socket = await rawSender(api);
      socket.write(head(greedy, 'Content-Length: 9000000000'));
      const response = firstLine(socket);
      while (!socket.destroyed && socket.write(PIECE)) await sleep(1);
      const status = Number((await response).split(' ')[1]);
      await sleep(200);
      socket.destroy();
      return { status };
    });
  },
);
