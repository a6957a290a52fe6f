/** The most common form: `2026-03-01T09:30:00.000Z`. */
const COMMON = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;
const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:[Zz]|([+-]\d\d)(?::?(\d\d))?)?$/;

/**
 * Returns the milliseconds since 1970 of an ISO 8601 date-time, or NaN if the text is not one. Truncates finer
 * digits, and defaults to UTC.
 */
export function readInstant(text: string): number {
  return COMMON.test(text) ? checkedTime(text, text) : readUncommon(text);
}

function readUncommon(text: string): number {
  const [, date, minutes, seconds = '00', fraction = '', zoneHours = '+00', zoneMinutes = '00'] =
    DATE_TIME.exec(text) ?? [];
  if (date === undefined) return Number.NaN;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const local = `${date}T${minutes}:${seconds}.${milliseconds}`;
  if (Number.isNaN(checkedTime(`${local}Z`, date))) return Number.NaN;
  return Date.parse(`${local}${zoneHours}:${zoneMinutes}`);
}

/** Rejects a day that the month does not have: `Date.parse` would return a day of the next month. */
function checkedTime(iso: string, date: string): number {
  const time = Date.parse(iso);
  const day = (date.charCodeAt(8) - 48) * 10 + date.charCodeAt(9) - 48;
  return day <= 28 || Number.isNaN(time) || isDay(time, day, iso) ? time : Number.NaN;
}

function isDay(time: number, day: number, iso: string): boolean {
  const midnight = iso.slice(11, 13) === '24' ? 1 : 0;
  return new Date(time - midnight).getUTCDate() === day;
}
