import type { RunningProcess } from '@plugin-config/server/testing';
import { metricOf } from '@plugin-config/server/testing';

const LAG = 'nodejs_eventloop_lag_max_seconds';

/** Measures the longest time that an app's event loop was blocked during the work. */
export async function longestStall<T>(
  app: RunningProcess,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly stallMs: number }> {
  const url = await app.url();
  // Each reading starts a new measurement.
  await metricOf(url, LAG);
  const result = await work();
  return { result, stallMs: 1000 * (await metricOf(url, LAG)) };
}
