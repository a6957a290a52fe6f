import { DAY_MS } from '../log/log-days.ts';

/** The width of a span. Deliveries are summed per span, and the window moves by one span at a time. */
export const SPAN_MS = 600_000;

export function spanOf(time: number): number {
  return Math.floor(time / SPAN_MS) * SPAN_MS;
}

/** The starts of the first and the last span of a window. */
export interface DeliveryWindow {
  readonly first: number;
  readonly last: number;
}

/** The last 24 hours: the current span and those before it. */
export function deliveryWindow(now: Date): DeliveryWindow {
  const last = spanOf(now.getTime());
  return { first: last - DAY_MS + SPAN_MS, last };
}

/**
 * The time at which the first of the spans enters or leaves the window, but not later than its last span leaves it. So a rate
 * that is due later was computed with a clock that was ahead.
 */
export function nextWindowChange(spans: readonly number[], window: DeliveryWindow): number {
  const changes = spans.map((span) => (span > window.last ? span : span + DAY_MS));
  return Math.min(...changes, latestWindowChange(window));
}

export function latestWindowChange({ last }: DeliveryWindow): number {
  return last + DAY_MS;
}
