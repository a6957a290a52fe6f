const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** The nearest time whose year has four digits: the server cannot parse others, and no entry has one. */
export function clampMoment(time: number): number {
  return Math.max(FIRST, Math.min(time, LAST));
}
