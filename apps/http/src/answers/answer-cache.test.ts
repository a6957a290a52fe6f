import { expect, test } from 'vitest';
import { AnswerCache } from './answer-cache.ts';
import type { Answer } from './send-answer.ts';

const answer = (bytes: number): Answer => ({ body: Buffer.alloc(bytes), etag: `"${bytes}"` });
const at = (revision: number, value: Answer) => async () => ({ revision, value });

test('an answer is good for the very revision that it was read at', async () => {
  const cache = new AnswerCache({ maxBytes: 100_000 });
  await cache.load('a', 1, at(2, answer(1)));
  expect([cache.get('a', 1), cache.get('a', 3)]).toEqual([undefined, undefined]);
  expect(cache.get('a', 2)).toEqual(answer(1));
});

test('a late reading does not push out a newer one', async () => {
  const cache = new AnswerCache({ maxBytes: 100_000 });
  const late = Promise.withResolvers<{ revision: number; value: Answer }>();
  const slow = cache.load('a', 1, () => late.promise);
  await cache.load('a', 2, at(2, answer(2)));
  late.resolve({ revision: 1, value: answer(1) });
  expect(await slow).toEqual(answer(1));
  expect(cache.get('a', 2)).toEqual(answer(2));
});

test('those who miss the same thing wait for one reading', async () => {
  const cache = new AnswerCache({ maxBytes: 100_000 });
  let readings = 0;
  const read = async () => {
    readings++;
    await Promise.resolve();
    return { revision: 1, value: answer(5) };
  };
  const answers = await Promise.all(Array.from({ length: 10 }, () => cache.load('a', 1, read)));
  expect([readings, new Set(answers).size]).toEqual([1, 1]);
  await cache.load('a', 2, read);
  expect(readings).toBe(2);
});

test('a reading that fails is nobody else’s failure', async () => {
  const cache = new AnswerCache({ maxBytes: 100_000 });
  await expect(cache.load('a', 1, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await cache.load('a', 1, at(1, answer(1)))).toEqual(answer(1));
});

test('what was not asked for since room was last made goes first', async () => {
  const cache = new AnswerCache({ maxBytes: 20_000 });
  for (const key of ['a', 'b', 'c', 'd']) await cache.load(key, 1, at(1, answer(900)));
  cache.get('a', 1);
  for (let i = 0; i < 14; i++) await cache.load(`x${i}`, 1, at(1, answer(900)));
  expect(cache.get('a', 1)).toBeDefined();
  expect(cache.get('b', 1)).toBeUndefined();
  expect(cache.statistics.bytes).toBeLessThanOrEqual(20_000);
});

test('one that would push too much out is not kept', async () => {
  const cache = new AnswerCache({ maxBytes: 16_000 });
  await cache.load('small', 1, at(1, answer(100)));
  expect(await cache.load('large', 1, at(1, answer(1001)))).toEqual(answer(1001));
  expect([cache.get('large', 1), cache.get('small', 1)]).toEqual([undefined, answer(100)]);
});

test('replacing and dropping leave the count of bytes right', async () => {
  const cache = new AnswerCache({ maxBytes: 1_000_000 });
  for (let revision = 1; revision < 50; revision++)
    await cache.load('a', revision, at(revision, answer(revision)));
  const { entries, bytes } = cache.statistics;
  const fresh = new AnswerCache({ maxBytes: 1_000_000 });
  await fresh.load('a', 49, at(49, answer(49)));
  expect({ entries, bytes }).toEqual({ entries: 1, bytes: fresh.statistics.bytes });
});
