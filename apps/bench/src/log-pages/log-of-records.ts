/** Each of the two large records has one in `LARGE_SHARE` of all entries. */
export const LARGE_SHARE = 10;
export const RECORDS = 200;

/** The first record's entries are spread evenly over all days; the second record's are all in one hour. */
export const LARGE_RECORDS = { 'even hours': 1, 'one hour': 2 } as const;
export type LargeLog = keyof typeof LARGE_RECORDS;

/** Returns the type of an entry by its number in its record: 1% are ERROR and 40% are INFO. */
export function typeOf(number: number): string {
  const rank = number % 100;
  if (rank === 0) return 'ERROR';
  return rank <= 40 ? 'INFO' : 'LOG';
}
