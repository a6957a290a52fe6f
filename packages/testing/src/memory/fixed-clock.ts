import type { Clock } from '@plugin-config/domain';
import { MOMENT } from '../builders/an-author.ts';

/** It is always the same time. */
export function fixedClock(at: Date = MOMENT): Clock {
  return { now: () => new Date(at) };
}
