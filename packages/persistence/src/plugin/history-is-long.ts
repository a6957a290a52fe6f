/** The code of the database's refusal to seal what a long history still tells. */
export const HISTORY_IS_LONG = 'PC001';

export function isOfLongHistory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === HISTORY_IS_LONG;
}
