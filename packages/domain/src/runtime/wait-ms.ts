import type { Randomness } from '../kernel/randomness.ts';

/** The part of a wait that is random, so that the requests that wait do not all return together. */
const JITTER = 0.1;
const BYTE_MAX = 255;

/** Returns how long a request waits that asks for this many seconds: 0.9 to 1.0 of the time. */
export function waitMs(seconds: number, randomness: Pick<Randomness, 'bytes'>): number {
  const [byte = 0] = randomness.bytes(1);
  return seconds * 1000 * (1 - (JITTER * byte) / BYTE_MAX);
}
