import type { ApiKeyStore } from '@plugin-config/domain';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { guard, type GuardDependencies, type Guard } from './guard.ts';
import { flushKeyUses, keyUses } from './key-uses.ts';
import { rateLimiter } from './rate-limiter.ts';

interface Dependencies extends Omit<GuardDependencies, 'limiter' | 'uses'> {
  readonly keys: Pick<ApiKeyStore, 'touch'>;
  readonly logger: Logger;
  /** Null if there is no limit. */
  readonly rateLimitPerMinute: number | null;
}

/** Makes the guard of the app's routes, and stores key uses until the app closes. */
export function guardRequests(
  app: FastifyInstance,
  { keys, logger, rateLimitPerMinute: perMinute, ...gatekeeping }: Dependencies,
): Guard {
  const uses = keyUses({ keys });
  flushKeyUses(app, { uses, logger });
  const limiter = perMinute === null ? null : rateLimiter({ perMinute });
  return guard({ ...gatekeeping, limiter, uses });
}
