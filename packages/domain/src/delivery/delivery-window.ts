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

/** The time at which a future span enters the window, or a span within the window leaves it. */
export function windowChangeOf(span: number, { last }: DeliveryWindow): number {
  return span > last ? span : span + DAY_MS;
}
