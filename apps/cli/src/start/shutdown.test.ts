import { expect, test } from 'vitest';
import { listenForShutdown } from './shutdown.ts';

test('a step of the shutdown has what the later ones leave of 9.3 seconds, and a second at least', () => {
  const { graceMs, release } = listenForShutdown();
  release();
  expect([graceMs(0), graceMs(1_300), graceMs(9_000)]).toEqual([9_300, 8_000, 1_000]);
});
