import type { Clock } from '@plugin-config/domain';
import { MOMENT } from '../builders/an-author.ts';

/** A clock that always returns the same time. */
export function fixedClock(at: Date = MOMENT): Clock {
  return { now: () => new Date(at) };
}
