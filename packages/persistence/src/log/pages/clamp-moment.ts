const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns the nearest time with a four-digit year. The server cannot parse others, and no entry has one. */
export function clampMoment(time: number): number {
  return Math.max(FIRST, Math.min(time, LAST));
}

/** The same, as the server reads it. */
export function momentText(time: number | Date): string {
  return new Date(clampMoment(Number(time))).toISOString();
}
