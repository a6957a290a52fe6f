/** Returns the messages of an expected error and its causes in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  const own = message === '' && 'code' in error ? String(error.code) : message;
  return cause === undefined ? own : `${own} ${reasonOf(cause)}`;
}
