import { isTransient } from '@plugin-config/domain';
import type { Logger } from 'pino';

interface Failure {
  readonly error: unknown;
  readonly message: string;
  readonly about: Readonly<Record<string, unknown>>;
}

/** Logs a transient error as a warning with its reason. Any other error is a bug and is logged with its stack. */
export function logFailure(logger: Logger, { error, message, about }: Failure): void {
  if (isTransient(error)) logger.warn({ ...about, reason: reasonOf(error) }, message);
  else logger.error({ ...about, err: error }, message);
}

/** Returns the messages of an expected error and its causes in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  const own = message === '' && 'code' in error ? String(error.code) : message;
  return cause === undefined ? own : `${own} ${reasonOf(cause)}`;
}
