import { expect, test } from 'vitest';
import { BEHIND_MAX_BYTES, eventQueue, TooFarBehind } from './event-queue.ts';
import type { StreamPart } from './stream-event.ts';

const part = (id: string, bytes = 10): StreamPart => [{ id, event: 'log', data: 'x'.repeat(bytes) }];

test('parts come in their order, also those that arrive while the reader waits', async () => {
  const queue = eventQueue(new AbortController().signal);
  const [one, two, three] = [part('1'), part('2'), part('3')];
  queue.push(one);
  queue.push(two);
  expect([await queue.next(), await queue.next()]).toEqual([one, two]);
  const waiting = queue.next();
  queue.push(three);
  expect(await waiting).toBe(three);
});

test('a reader that takes every part may be sent any number of them', async () => {
  const queue = eventQueue(new AbortController().signal);
  for (let i = 0; i < 5; i++) {
    queue.push(part(String(i), BEHIND_MAX_BYTES / 2));
    expect(await queue.next()).toMatchObject([{ id: String(i) }]);
  }
});

test('a reader that is 1 MiB behind gets no more, and the queue keeps nothing', async () => {
  const queue = eventQueue(new AbortController().signal);
  for (let i = 0; i < 5; i++) queue.push(part(String(i), BEHIND_MAX_BYTES / 4));
  await expect(queue.next()).rejects.toThrow(TooFarBehind);
});

test('an aborted stream has no further part, and wakes its reader', async () => {
  const ended = new AbortController();
  const queue = eventQueue(ended.signal);
  const waiting = queue.next();
  ended.abort();
  expect(await waiting).toBeNull();
  queue.push(part('1'));
  expect(await queue.next()).toBeNull();
});
