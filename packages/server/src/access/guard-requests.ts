import type { ApiKeyStore } from '@plugin-config/domain';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { guard, type GuardDependencies, type Guard } from './guard.ts';
import { flushKeyUses, keyUses } from './key-uses.ts';

interface Dependencies extends Omit<GuardDependencies, 'uses'> {
  readonly keys: Pick<ApiKeyStore, 'touch'>;
  readonly logger: Logger;
}

/** Makes the guard of the app's routes, and stores key uses until the app closes. */
export function guardRequests(app: FastifyInstance, { keys, logger, ...gatekeeping }: Dependencies): Guard {
  const uses = keyUses({ keys });
  flushKeyUses(app, { uses, logger });
  return guard({ ...gatekeeping, uses });
}
