import type { Randomness } from '../kernel/randomness.ts';

/** The random part of a wait, which keeps waiting requests from returning all at once. */
const JITTER = 0.1;
const BYTE_MAX = 255;

/** Returns how long a request for this many seconds waits: 90 to 100 % of the time. */
export function waitMs(seconds: number, randomness: Pick<Randomness, 'bytes'>): number {
  const [byte = 0] = randomness.bytes(1);
  return seconds * 1000 * (1 - (JITTER * byte) / BYTE_MAX);
}
