import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { keepCalling } from '../testing/keep-calling.ts';
import { memoryOf, MIB } from '../testing/memory-of.ts';
import { neighbour } from '../testing/neighbour.ts';
import { creationHead, pushHead, rawSender } from '../testing/raw-sender.ts';
import { serviceOfFile } from '../testing/running-service.ts';

const LARGE_BODIES = 12;
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

test(
  'large bodies with numbers that lose precision are parsed sequentially',
  { tags: ['long'] },
  async () => {
    const { tenant } = running();
    const greedy = await tenant();
    const list = `[${Array.from({ length: 10_000 }, () => '12345678901234567890').join(',')}]`;
    const text = `{"plugin":7,"unknown":[${Array.from({ length: 4 }, () => list).join(',')}]}`;
    const other = await neighbour(await tenant());
    const creations = Array.from({ length: LARGE_BODIES }, () =>
      greedy.call('POST', '/plugin_configs', text),
    );
    for (const { status } of await Promise.all(creations)) expect([201, 503]).toContain(status);
    await other.expectUnaffected();
  },
);

test(
  'callers that keep sending a rejected body do not slow down their neighbours',
  { tags: ['long'] },
  async () => {
    const { tenant } = running();
    const greedy = await tenant();
    const other = await neighbour(await tenant());
    const statuses = await keepCalling(REJECTED_BODIES, async (n) => {
      const [head, api] = n % 2 === 0 ? [creationHead, greedy.api] : [pushHead, greedy.ingestion];
      const socket = await rawSender(api);
      socket.write(head(greedy, 'Content-Length: 9000000000'));
      const response = firstLine(socket);
      while (!socket.destroyed && socket.write(PIECE)) await sleep(1);
      const status = Number((await response).split(' ')[1]);
      await sleep(200);
      socket.destroy();
      return status;
    });
    await other.expectUnaffected();
    expect([...statuses.keys()]).toEqual([413]);
  },
);
