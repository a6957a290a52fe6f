import type { Randomness } from '@plugin-config/domain';

const HEX = 16;

/** Creates deterministic bytes and ids from a seed. */
export function seededRandomness(seed = 1): Randomness {
  const next = mulberry32(seed);
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => next() >>> 24);
  let moment = Date.UTC(2026, 0, 1);
  return {
    bytes,
    uuid: () => {
      const time = (moment++).toString(HEX).padStart(12, '0');
      const rest = Array.from(bytes(10), (byte) => byte.toString(HEX).padStart(2, '0')).join('');
      return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(1, 4)}-8${rest.slice(5, 8)}-${rest.slice(8)}`;
    },
  };
}

/** Generates 32-bit numbers that are random enough for tests. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return mixed ^ (mixed >>> 14);
  };
}
