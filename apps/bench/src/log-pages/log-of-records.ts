/** The share of the first record in all entries; the other records share the rest. */
export const LARGE_RECORD = 1;
export const LARGE_SHARE = 10;
export const RECORDS = 200;

/** The type of an entry by its number in its record: of a hundred, one is an ERROR and forty are INFO. */
export function typeOf(number: number): string {
  const rank = number % 100;
  if (rank === 0) return 'ERROR';
  return rank <= 40 ? 'INFO' : 'LOG';
}
