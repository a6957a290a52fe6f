import type { ApiKeyStore } from '@plugin-config/domain';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { flushKeyUses } from './flush-key-uses.ts';
import { guard, type Gatekeeping, type Guard } from './guard.ts';
import { keyUses } from './key-uses.ts';
import { rateLimiter, unlimited } from './rate-limiter.ts';

interface Dependencies extends Omit<Gatekeeping, 'limiter' | 'uses'> {
  readonly keys: Pick<ApiKeyStore, 'touch'>;
  readonly logger: Logger;
  /** Null for no limit. */
  readonly rateLimitPerMinute: number | null;
}

/** What routes let requests in by. The uses of keys are written down as long as the app is there. */
export function guardRequests(
  app: FastifyInstance,
  { keys, logger, rateLimitPerMinute: perMinute, ...gatekeeping }: Dependencies,
): Guard {
  const uses = keyUses({ keys });
  flushKeyUses(app, { uses, logger });
  const limiter = perMinute === null ? unlimited : rateLimiter({ perMinute });
  return guard({ ...gatekeeping, limiter, uses });
}
