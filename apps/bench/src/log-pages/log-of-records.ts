/** The records are numbered from 1; the first one has this part of all entries, and the others share the rest. */
export const LARGE_RECORD = 1;
export const LARGE_SHARE = 10;
export const RECORDS = 200;

/** By its number in its record: of a hundred entries one is an ERROR and forty are INFO. */
export function typeOf(number: number): string {
  const place = number % 100;
  if (place === 0) return 'ERROR';
  return place <= 40 ? 'INFO' : 'LOG';
}
