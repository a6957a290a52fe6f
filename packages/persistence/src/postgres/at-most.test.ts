import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { atMost } from './at-most.ts';

test('no more than so many run at a time, the works of one key in the order in which they came', async () => {
  const limited = atMost({ most: 3, patienceMs: 60_000 });
  const started: number[] = [];
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<number>());
  const works = ends.map(({ promise }, n) =>
    limited(1, () => {
      started.push(n);
      return promise;
    }),
  );
  await nextTurn();
  expect(started).toEqual([0, 1]);
  ends[1]?.resolve(1);
  await works[1];
  ends[0]?.reject(new Error('fails'));
  await Promise.allSettled([works[0]]);
  await nextTurn();
  expect(started).toEqual([0, 1, 2, 3]);
  for (const { resolve } of ends) resolve(9);
  expect(await Promise.allSettled(works)).toMatchObject([
    { reason: { message: 'fails' } },
    { value: 1 },
    { value: 9 },
    { value: 9 },
  ]);
});

test('who waits for too long is refused, and takes no place', async () => {
  const limited = atMost({ most: 1, patienceMs: 5 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = limited(1, () => promise);
  await expect(limited(1, async () => 'never')).rejects.toMatchObject({ code: 'busy', retryAfterSeconds: 2 });
  resolve();
  await running;
  expect(await limited(1, async () => 'next')).toBe('next');
});

test('whoever comes after many works of another key waits for one of them', async () => {
  const limited = atMost({ most: 1, patienceMs: 60_000 });
  const started: number[] = [];
  const run = (key: number) => limited(key, async () => void started.push(key));
  await Promise.all([run(1), run(1), run(1), run(1), run(2)]);
  expect(started).toEqual([1, 1, 2, 1, 1]);
});

test('one key never takes the places of all others', async () => {
  const limited = atMost({ most: 3, patienceMs: 60_000 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const long = [1, 2, 3].map(() => limited(1, () => promise));
  expect(await limited(2, async () => 'done')).toBe('done');
  resolve();
  expect(await Promise.all(long)).toHaveLength(3);
});

test('who brings its own patience waits for no longer than that', async () => {
  const limited = atMost({ most: 1, patienceMs: 60_000 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = limited(1, () => promise);
  const refused = { code: 'busy' };
  await expect(limited(2, async () => 'never', { left: () => 5 })).rejects.toMatchObject(refused);
  await expect(limited(2, async () => 'never', { left: () => 0 })).rejects.toMatchObject(refused);
  resolve();
  await running;
});
