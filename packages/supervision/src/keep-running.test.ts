import { expect, test } from 'vitest';
import { keepRunning, pauseAfter, RESTART_PAUSES } from './keep-running.ts';

const AT_ONCE = 10;

test('the pauses double up to the longest', () => {
  let pause: number | null = null;
  const pauses = Array.from({ length: 8 }, () => (pause = pauseAfter(pause, AT_ONCE, RESTART_PAUSES)));
  expect(pauses).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
});

test('after a healthy minute the pauses start over', () => {
  expect(pauseAfter(10_000, 60_000, RESTART_PAUSES)).toBe(200);
});

test('a process that cannot be started is tried again, like one that ends', async () => {
  const stopping = new AbortController();
  const ends: string[] = [];
  const pauses = { ...RESTART_PAUSES, firstPauseMs: 1 };
  const run = async (): Promise<never> => {
    throw new Error('There is no memory left.');
  };
  const onEnd = ({ how }: { readonly how: string }): boolean => ends.push(how) < 3;
  await keepRunning({ run, onEnd, pauses }, stopping.signal);
  expect(ends).toEqual(Array.from({ length: 3 }, () => 'could not be started: There is no memory left.'));
});
