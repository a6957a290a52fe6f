import type {
  AccessProbe,
  AccessTokenSigner,
  ApiKeyStore,
  Clock,
  Randomness,
  TokenHasher,
} from '@plugin-config/domain';
import type { WorkThread } from '@plugin-config/flow/node';
import type { Primary } from '@plugin-config/persistence';
import {
  CALLER_TIMEOUTS,
  guardRequests,
  healthRoutes,
  trackMethods,
  observeRequests,
  openServer,
  type CallerTimeouts,
  type Gate,
  type Readiness,
} from '@plugin-config/server';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { otlpRoutes } from './sources/otlp/otlp.routes.ts';
import { ingestRoutes } from './sources/push/ingest.routes.ts';
import { BODY_MAX_BYTES } from './sources/push/receive-push.ts';
import type { PushSource } from './sources/push/push-source.ts';

export interface AppDependencies {
  readonly probe: AccessProbe;
  readonly keys: Pick<ApiKeyStore, 'touch'>;
  readonly hasher: TokenHasher;
  readonly accessTokens: Pick<AccessTokenSigner, 'verify'>;
  readonly clock: Clock;
  readonly primary: Pick<Primary, 'timeline'>;
  readonly corsOrigins: ReadonlySet<string>;
  readonly rateLimitPerMinute: number | null;
  readonly readiness: Readiness;
  readonly push: PushSource;
  readonly gate: Gate;
  readonly randomness: Randomness;
  readonly thread: WorkThread;
  readonly metrics: Registry;
  readonly logger: Logger;
  /** Defaults to `CALLER_TIMEOUTS`. */
  readonly timeouts?: CallerTimeouts;
}

/** Builds the worker's HTTP server: ingestion, health and metrics. */
export function buildApp({
  readiness,
  metrics,
  push,
  gate,
  randomness,
  thread,
  corsOrigins,
  logger,
  timeouts = CALLER_TIMEOUTS,
  ...access
}: AppDependencies): FastifyInstance {
  const app = openServer({ trustProxy: false, corsOrigins, bodyLimit: BODY_MAX_BYTES, gate, timeouts });
  observeRequests(app, { logger, metrics });
  const guard = guardRequests(app, { ...access, logger });
  const rejectOthers = trackMethods(app);
  healthRoutes(app, { readiness, metrics });
  ingestRoutes(app, { guard, push, randomness });
  otlpRoutes(app, { guard, push, randomness, thread });
  rejectOthers();
  return app;
}
