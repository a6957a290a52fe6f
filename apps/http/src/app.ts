import { atMost } from '@plugin-config/persistence';
import {
  FAMILIES,
  type AccessProbe,
  type ActivityLog,
  type ApiKeyStore,
  type Clock,
  type ConfigRecordStore,
  type JobStore,
  type LogEntryStore,
  type ProjectStore,
  type Randomness,
  type SecretBox,
  type TokenHasher,
} from '@plugin-config/domain';
import {
  guardRequests,
  healthRoutes,
  methodsByPath,
  observeRequests,
  openServer,
  requestMeter,
  type ConnectionPool,
  type KeyWatch,
  type Readiness,
} from '@plugin-config/service';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { AnswerCache } from './answers/answer-cache.ts';
import { configRecordRoutes } from './config-record/config-record.routes.ts';
import { PATIENCE_MS } from './config-record/patience-of.ts';
import { turns } from './config-record/turns.ts';
import { logRoutes } from './log/log.routes.ts';
import { serviceMetrics } from './observability/service-metrics.ts';
import { docsRoutes } from './openapi/docs.routes.ts';
import { schemaRoutes } from './openapi/schema.routes.ts';
import { projectRoutes } from './project/project.routes.ts';
import { BODY_MAX_BYTES, readJsonBodies } from './requests/json-body.ts';
import { origin } from './requests/origin.ts';

export interface Ports {
  readonly probe: AccessProbe;
  readonly keys: Pick<ApiKeyStore, 'touch'>;
  readonly hasher: TokenHasher;
  readonly projects: ProjectStore;
  readonly records: ConfigRecordStore;
  readonly activity: ActivityLog;
  readonly jobs: JobStore;
  readonly logEntries: LogEntryStore;
  readonly secretBox: SecretBox;
  readonly randomness: Randomness;
  readonly clock: Clock;
}

export interface AppSettings {
  readonly publicUrl: string | null;
  readonly trustProxy: boolean | string;
  readonly rateLimitPerMinute: number | null;
  readonly requireRegistered: boolean;
}

export interface AppDependencies {
  readonly ports: Ports;
  readonly settings: AppSettings;
  readonly readiness: Readiness;
  readonly pool: ConnectionPool;
  readonly keys: KeyWatch;
  readonly logger: Logger;
}

const CACHE_MAX_BYTES = 64 * 1024 * 1024;
/** One of each project: the second place is for others. */
const LARGE_CHANGES = { most: 2, mostOfOne: 1, patienceMs: PATIENCE_MS };

export function buildApp({
  ports,
  settings,
  readiness,
  pool,
  keys,
  logger,
}: AppDependencies): FastifyInstance {
  const { trustProxy, rateLimitPerMinute } = settings;
  const app = openServer({ trustProxy, bodyLimit: BODY_MAX_BYTES });
  readJsonBodies(app);
  const answers = new AnswerCache({ maxBytes: CACHE_MAX_BYTES });
  const meter = requestMeter();
  observeRequests(app, { logger, meter });
  const services = {
    ...ports,
    ...settings,
    answers,
    guard: guardRequests(app, { ...ports, logger, rateLimitPerMinute }),
    origin: origin(settings),
    turns: turns(),
    large: atMost(LARGE_CHANGES),
  };

  const methods = methodsByPath(app);
  healthRoutes(app, {
    readiness,
    meter,
    metrics: serviceMetrics({ answers, unsent: app.unsent, pool, keys }),
  });
  projectRoutes(app, services);
  for (const family of FAMILIES) configRecordRoutes(app, services, family);
  logRoutes(app, services);
  schemaRoutes(app, settings);
  docsRoutes(app, settings);
  methods.refuseOthers();
  return app;
}
