/** Has one in `LARGE_SHARE` of all entries. */
export const LARGE_RECORD = 1;
export const LARGE_SHARE = 10;
export const RECORDS = 200;

/** Returns the type of an entry by its number in its record: 1 % are ERROR and 40 % INFO. */
export function typeOf(number: number): string {
  const rank = number % 100;
  if (rank === 0) return 'ERROR';
  return rank <= 40 ? 'INFO' : 'LOG';
}
