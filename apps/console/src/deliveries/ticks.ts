import type { Slot, Span } from './slots.ts';

/** A label below the chart: its place from 0 to 1, and its text. */
export interface Tick {
  readonly at: number;
  readonly text: string;
}

const DAY_MS = 86_400_000;
const HOURS_BETWEEN = 6;
const DAYS_BETWEEN = 7;
/** A label that begins behind this place would not fit. */
const LAST = 0.88;

const TIME = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const WEEKDAY = new Intl.DateTimeFormat('en', { weekday: 'short' });
/** A day is a day of UTC, so it is named as one. */
const DATE = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** A few times below the chart: hours of a day and days of a week in the reader's zone, or dates of a month. */
export function ticksOf(slots: readonly Pick<Slot, 'start'>[], span: Span): readonly Tick[] {
  const textOf =
    TEXTS[span.granularity === 'day' ? 'month' : span.buckets * span.bucketMs > DAY_MS ? 'week' : 'day'];
  return slots.flatMap(({ start }, index) => {
    const at = index / slots.length;
    const text = at > LAST ? null : textOf(start, index);
    return text === null ? [] : [{ at, text }];
  });
}

const TEXTS = {
  day: (start: number) => (new Date(start).getHours() % HOURS_BETWEEN === 0 ? TIME.format(start) : null),
  week: (start: number) => (new Date(start).getHours() === 0 ? WEEKDAY.format(start) : null),
  month: (start: number, index: number) => (index % DAYS_BETWEEN === 0 ? DATE.format(start) : null),
};
