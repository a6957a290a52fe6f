import { DomainError } from '@plugin-config/domain';
import type { Logger } from 'pino';
import { logFailure } from '../observability/log-failure.ts';

const UNKNOWN = 'The process cannot tell whether it works.';

/**
 * What anybody may know of the readiness of this process. What it fails with is logged instead, once until it is known
 * again: it may name hosts and users.
 */
export function ownReadiness(
  readiness: () => Promise<string | null>,
  logger: Logger,
): () => Promise<string | null> {
  let isKnown = true;
  return async () => {
    try {
      const reason = await readiness();
      isKnown = true;
      return reason;
    } catch (error) {
      if (isKnown) logFailure(logger, { error, message: 'the readiness is not known', about: {} });
      isKnown = false;
      return error instanceof DomainError ? error.message : UNKNOWN;
    }
  };
}
