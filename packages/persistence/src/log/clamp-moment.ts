const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** The nearest moment whose year has four digits: others have no form that the server reads, and nothing is of them. */
export function clampMoment(time: number): number {
  return Math.max(FIRST, Math.min(time, LAST));
}
