import { expect, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

test('what is asked for while the work runs is one more run, never a second at the same time', async () => {
  const ends: (() => void)[] = [];
  const ask = oneAtATime(async () => new Promise<void>((resolve) => void ends.push(resolve)));
  ask();
  ask();
  ask();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await expect.poll(() => ends.length).toBe(2);
  ask();
  ends[1]?.();
  await expect.poll(() => ends.length).toBe(3);
  ends[2]?.();
  await Promise.resolve();
  expect(ends).toHaveLength(3);
});
