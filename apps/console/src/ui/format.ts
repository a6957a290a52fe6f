const COUNT = new Intl.NumberFormat('en');
const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
const EXACT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });

/** Formats a count with thousands separators. */
export const formatCount = (count: number): string => COUNT.format(count);

export const recordsText = (count: number): string =>
  count === 1 ? '1 record' : `${formatCount(count)} records`;

/** Formats the share of successful deliveries, rounded down so only a full share is shown as 100%. */
export function rateText(rate: string | null): string {
  if (rate === null) return '–';
  const share = Number(rate);
  return PERCENT.format(share < 1 ? Math.floor(share * 1000) / 1000 : share);
}

/** Formats how far a time is from now, in the largest whole unit. */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  if (unit === undefined) return Math.abs(seconds) < 10 ? 'just now' : RELATIVE.format(seconds, 'second');
  return RELATIVE.format(Math.trunc(seconds / unit[1]), unit[0]);
}

/** Formats a time in the user's zone, to the second. */
export const exactTime = (at: string): string => EXACT.format(new Date(at));

/** Formats a time for a `datetime-local` input; empty if it is invalid. */
export function localTimeOf(moment: string): string {
  const at = Date.parse(moment);
  if (Number.isNaN(at)) return '';
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString();
  return local.slice(0, -1).replace(/(?::00)?\.000$/, '');
}

/** Parses the value of a `datetime-local` input; empty if it is invalid. */
export function momentOf(localTime: string): string {
  const at = Date.parse(localTime);
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}

/** Returns the bound for a filter `after`, which is exclusive in the API; `from` is inclusive. */
export function afterOf(from: string): string {
  const start = Date.parse(from);
  return Number.isNaN(start) ? from : new Date(start - 1).toISOString();
}
