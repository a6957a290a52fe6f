import { randomBytes } from 'node:crypto';
import type { Randomness } from '@plugin-config/domain';
import { risingIds } from './rising-ids.ts';

export function nodeRandomness(): Randomness {
  return { bytes: (length) => randomBytes(length), uuid: risingIds() };
}
