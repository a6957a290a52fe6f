const UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
const EXACT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });

/** Formats the distance of a time from now, in its largest whole unit. */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  if (unit === undefined) return Math.abs(seconds) < 10 ? 'just now' : RELATIVE.format(seconds, 'second');
  return RELATIVE.format(Math.trunc(seconds / unit[1]), unit[0]);
}

/** Formats a time in the user's zone, to the second. */
export function exactTime(at: string): string {
  return EXACT.format(new Date(at));
}
