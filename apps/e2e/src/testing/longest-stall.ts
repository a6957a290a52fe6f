import type { RunningProcess } from '@plugin-config/server/testing';
import { metricOf } from './metric-of.ts';

const LAG = 'nodejs_eventloop_lag_max_seconds';

/** Measures for how long an app ran nothing else, at most, while the work went on. */
export async function longestStall<T>(
  app: RunningProcess,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly stallMs: number }> {
  const url = await app.url();
  // Each reading begins another measurement.
  await metricOf(url, LAG);
  const result = await work();
  return { result, stallMs: 1000 * (await metricOf(url, LAG)) };
}
