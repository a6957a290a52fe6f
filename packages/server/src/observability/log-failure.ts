import { isPassing } from '@plugin-config/domain';
import type { Logger } from 'pino';
import { reasonOf } from './reason-of.ts';

interface Failure {
  readonly error: unknown;
  readonly message: string;
  readonly about: Readonly<Record<string, unknown>>;
}

/** What passes by itself is told with its reason; anything else is a bug, and told with its stack. */
export function logFailure(logger: Logger, { error, message, about }: Failure): void {
  if (isPassing(error)) logger.warn({ ...about, reason: reasonOf(error) }, message);
  else logger.error({ ...about, err: error }, message);
}
