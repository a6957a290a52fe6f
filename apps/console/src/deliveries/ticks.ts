import type { Slot, Span } from './slots.ts';

/** A label below the chart, at a position from 0 to 1. */
export interface Tick {
  readonly at: number;
  readonly text: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOURS_BETWEEN = 6;
const DAYS_BETWEEN = 7;
/** A label that starts after this position would not fit. */
const LAST = 0.88;

/**
 * Returns labels for the chart: hours of a day, weekdays, or dates of a month.
 * @param timeZone defaults to the user's zone
 */
export function ticksOf(
  slots: readonly Pick<Slot, 'start'>[],
  span: Span,
  timeZone?: string,
): readonly Tick[] {
  const textOf =
    TEXTS[span.granularity === 'day' ? 'month' : span.buckets * span.bucketMs > DAY_MS ? 'week' : 'day'](
      timeZone,
    );
  return slots.flatMap(({ start }, index) => {
    const at = index / slots.length;
    const text = at > LAST ? null : textOf(start, index);
    return text === null ? [] : [{ at, text }];
  });
}

/** Finds the first hour of a quarter or day by comparing it with the hour before, since zones skip and repeat hours. */
type Texts = (timeZone: string | undefined) => (start: number, index: number) => string | null;

const TEXTS: Readonly<Record<'day' | 'week' | 'month', Texts>> = {
  day: (timeZone) => {
    const time = new Intl.DateTimeFormat('en', {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone,
    });
    const quarter = (at: number) => Math.floor(Number.parseInt(time.format(at)) / HOURS_BETWEEN);
    return (start) => (quarter(start) === quarter(start - HOUR_MS) ? null : time.format(start));
  },
  week: (timeZone) => {
    const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone });
    return (start) => {
      const text = weekday.format(start);
      return text === weekday.format(start - HOUR_MS) ? null : text;
    };
  },
  /** Days are UTC days. */
  month: () => {
    const date = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
    return (start, index) => (index % DAYS_BETWEEN === 0 ? date.format(start) : null);
  },
};
