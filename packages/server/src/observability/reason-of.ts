/** What a foreseen failure came from, in one line: where in the code that was says nothing more. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  const own = message === '' && 'code' in error ? String(error.code) : message;
  return cause === undefined ? own : `${own} ${reasonOf(cause)}`;
}
