import { randomBytes, randomFillSync } from 'node:crypto';
import type { Randomness } from '@plugin-config/domain';

export function nodeRandomness(): Randomness {
  return { bytes: (length) => randomBytes(length), uuid: ascendingUuids() };
}

const START = 2 ** 24;
const LOW_BITS = 14;
const LOW = 2 ** LOW_BITS;
const VARIANT = 0b10 * LOW;
const RANDOM_BYTES = 6;
const POOL_BYTES = RANDOM_BYTES * 1024;

/** Returns a generator of ascending version 7 UUIDs, which keep entries of the same millisecond in order. */
export function ascendingUuids(now: () => number = Date.now): () => string {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  let milliseconds = 0;
  let counter = 0;
  const random = (): string => {
    if (used === POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    return pool.toString('hex', used, (used += RANDOM_BYTES));
  };
  return () => {
    const tail = random();
    if (now() > milliseconds) {
      milliseconds = now();
      counter = Number.parseInt(tail, 16) % START;
    } else counter++;
    const time = hex(milliseconds, 12);
    const [high, low] = [hex(Math.floor(counter / LOW), 3), hex(VARIANT + (counter % LOW), 4)];
    return `${time.slice(0, 8)}-${time.slice(8)}-7${high}-${low}-${random()}`;
  };
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
