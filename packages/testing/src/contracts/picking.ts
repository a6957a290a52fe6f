import { seededRandomness } from '../memory/seeded-randomness.ts';

export type Pick = (below: number) => number;

/** The same numbers for the same seed. */
export function picking(seed: number): Pick {
  const { bytes } = seededRandomness(seed);
  return (below) => bytes(6).reduce((number, byte) => number * 256 + byte, 0) % below;
}
