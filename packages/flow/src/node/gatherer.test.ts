import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { gatherer } from './gatherer.ts';

const ONE_BY_ONE = { maxItems: 1, maxSize: 1, sizeOf: () => 1, maxAgeMs: 0 };

test('batches that fail, or are no longer read, leave no listener on the signal', async () => {
  const { signal } = new AbortController();
  const failing = gatherer<string>(ONE_BY_ONE);
  failing.end(new Error('The connection is closed.'));
  await expect(failing.batches(signal).next()).rejects.toThrow('The connection is closed.');
  const left = gatherer<string>(ONE_BY_ONE);
  left.add('a');
  for await (const batch of left.batches(signal)) {
    expect(batch).toEqual(['a']);
    break;
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('the items left behind by a full batch wait for others, too', async () => {
  const maxAgeMs = 20;
  const gathered = gatherer<string>({ maxItems: 3, maxSize: 100, sizeOf: () => 1, maxAgeMs });
  const batches = gathered.batches(new AbortController().signal);
  for (const item of ['a', 'b', 'c', 'd']) gathered.add(item);
  await sleep(2 * maxAgeMs);
  expect((await batches.next()).value).toEqual(['a', 'b', 'c']);
  const next = batches.next();
  for (const item of ['e', 'f']) gathered.add(item);
  expect((await next).value).toEqual(['d', 'e', 'f']);
});
