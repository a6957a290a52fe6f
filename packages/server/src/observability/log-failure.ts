import { isTransient } from '@plugin-config/domain';
import type { Logger } from 'pino';
import { reasonOf } from './reason-of.ts';

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
