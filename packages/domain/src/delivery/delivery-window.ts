import { DAY_MS } from '../log/log-days.ts';

/** Deliveries are added up over ten minutes: the window of 24 hours moves on by that much. */
export const SPAN_MS = 600_000;

export function spanOf(time: number): number {
  return Math.floor(time / SPAN_MS) * SPAN_MS;
}

/** The starts of the first and the last span of a window. */
export interface DeliveryWindow {
  readonly first: number;
  readonly last: number;
}

/** The last 24 hours: the span that is running, and those before it. */
export function deliveryWindow(now: Date): DeliveryWindow {
  const last = spanOf(now.getTime());
  return { first: last - DAY_MS + SPAN_MS, last };
}

/** When the window reaches a span that is ahead of it, or leaves one that is in it. */
export function turnOf(span: number, { last }: DeliveryWindow): number {
  return span > last ? span : span + DAY_MS;
}
