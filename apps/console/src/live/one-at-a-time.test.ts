import { expect, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

test('requests during a run lead to one more run, never to a concurrent one', async () => {
  const ends: (() => void)[] = [];
  const request = oneAtATime(async () => new Promise<void>((resolve) => void ends.push(resolve)));
  request();
  request();
  request();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await expect.poll(() => ends.length).toBe(2);
  request();
  ends[1]?.();
  await expect.poll(() => ends.length).toBe(3);
  ends[2]?.();
  await Promise.resolve();
  expect(ends).toHaveLength(3);
});
