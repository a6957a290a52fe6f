import { expect, test } from 'vitest';
import { inParallel } from './in-parallel.ts';

test('no more than the limit runs at once, and a failure does not stop the others', async () => {
  let [running, most] = [0, 0];
  const outcome = await inParallel([1, 2, 3, 4, 5], 2, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    if (item === 2) throw new Error('Too late');
  });
  expect(outcome).toEqual({ done: [1, 3, 4, 5], errors: [new Error('Too late')] });
  expect(most).toBe(2);
});
