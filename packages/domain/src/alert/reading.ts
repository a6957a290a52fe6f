import type { Reading } from './alert-state.ts';
import type { AlertRule } from './alert.ts';

/** The data of a record within a window. */
export interface Sample {
  /**
   * The deliveries, the ERROR entries (up to the threshold), the shown errors, the signs of life, the failing runtimes, the
   * runtimes that have reported, or 1 for an outdated record, depending on the signal.
   */
  readonly count: number;
  readonly successes: number;
}

interface Window {
  readonly start: Date;
  /** The last change to the record, or to an alert about a family. */
  readonly updatedAt: Date;
}

/** Rates in incidents have four decimals, rounded down to stay below the threshold. */
const RATE_SCALE = 10_000;

const FINE: Reading = { kind: 'fine' };
const INCONCLUSIVE: Reading = { kind: 'inconclusive' };

/** Compares what a window shows with the rule. */
export function readingOf(
  { signal, threshold, minSamples }: AlertRule,
  { count, successes }: Sample,
  { start, updatedAt }: Window,
): Reading {
  if (signal === 'delivery_rate') {
    if (count < Math.max(1, minSamples)) return INCONCLUSIVE;
    const rate = successes / count;
    if (rate >= (threshold ?? 0)) return FINE;
    return { kind: 'breached', value: Math.floor(rate * RATE_SCALE) / RATE_SCALE };
  }
  if (signal === 'silence') {
    if (count > 0) return FINE;
    return updatedAt > start ? INCONCLUSIVE : { kind: 'breached', value: null };
  }
  if (signal === 'offline') {
    if (count >= (threshold ?? 1)) return FINE;
    return updatedAt > start ? INCONCLUSIVE : { kind: 'breached', value: count };
  }
  if (count < (threshold ?? 1)) return FINE;
  return { kind: 'breached', value: signal === 'error' || signal === 'outdated' ? null : count };
}
