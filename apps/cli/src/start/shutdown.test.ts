import { expect, test } from 'vitest';
import { listenForShutdown } from './shutdown.ts';

test('the steps of a shutdown share 9.3 seconds, and each gets at least one second', () => {
  const { graceMs, release } = listenForShutdown();
  release();
  expect([graceMs(0), graceMs(1_300), graceMs(9_000)]).toEqual([9_300, 8_000, 1_000]);
});
