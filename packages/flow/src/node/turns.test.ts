import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { turns } from './turns.ts';

test('many waiters resume in chunks and in order, and other events run in between', async () => {
  const turn = turns(10);
  const gone: number[] = [];
  const all = Promise.all(Array.from({ length: 35 }, async (_, i) => turn().then(() => gone.push(i))));
  const chunks: number[] = [];
  while (gone.length < 35) {
    await nextTurn();
    chunks.push(gone.length);
  }
  await all;
  expect(gone).toEqual(gone.toSorted((a, b) => a - b));
  for (const [i, reached] of chunks.entries()) {
    expect(reached - (chunks[i - 1] ?? 0)).toBeLessThanOrEqual(i === 0 ? 20 : 10);
  }
  expect(chunks.length).toBeGreaterThan(2);
});

test('a few waiters resume immediately, repeatedly', async () => {
  const turn = turns(10);
  for (let round = 0; round < 5; round++) {
    let gone = 0;
    const all = Array.from({ length: 10 }, () => turn().then(() => gone++));
    for (let step = 0; step < 5; step++) await Promise.resolve();
    expect(gone).toBe(10);
    await Promise.all(all);
    await nextTurn();
    await nextTurn();
  }
});
