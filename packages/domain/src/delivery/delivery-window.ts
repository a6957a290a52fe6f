import { BUCKET_MS } from '../vocabulary/vocabulary.ts';
import { DAY_MS } from '../log/log-days.ts';

/** Deliveries are summed per span, and the window moves by one span at a time. */
export const SPAN_MS = BUCKET_MS['5m'];

export function spanOf(time: number): number {
  return Math.floor(time / SPAN_MS) * SPAN_MS;
}

/** The starts of the first and last span in a window. */
export interface DeliveryWindow {
  readonly first: number;
  readonly last: number;
}

/** Returns the window of the last 24 hours, including the current span. */
export function deliveryWindow(now: Date): DeliveryWindow {
  const last = spanOf(now.getTime());
  return { first: last - DAY_MS + SPAN_MS, last };
}

/**
 * Returns the time at which the next span enters or leaves the window, but no later than when its last span leaves. A
 * rate that is due after that was computed while the clock was ahead.
 */
export function nextWindowChange(spans: readonly number[], window: DeliveryWindow): number {
  const changes = spans.map((span) => (span > window.last ? span : span + DAY_MS));
  return Math.min(...changes, latestWindowChange(window));
}

export function latestWindowChange({ last }: DeliveryWindow): number {
  return last + DAY_MS;
}
