import { seededRandomness } from '../builders/seeded-randomness.ts';

export type Pick = (below: number) => number;

/** Creates a generator of pseudo-random numbers. The same seed gives the same numbers. */
export function seededPick(seed: number): Pick {
  const { bytes } = seededRandomness(seed);
  return (below) => bytes(6).reduce((number, byte) => number * 256 + byte, 0) % below;
}
