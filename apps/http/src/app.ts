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
import { fastify, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { guard } from './access/guard.ts';
import { flushKeyUses } from './access/flush-key-uses.ts';
import { keyUses } from './access/key-uses.ts';
import { rateLimiter, unlimited } from './access/rate-limiter.ts';
import { AnswerCache } from './answers/answer-cache.ts';
import { configRecordRoutes } from './config-record/config-record.routes.ts';
import { answerError, answerUnroutable } from './errors/answer-error.ts';
import { answerClientError, answerConnect } from './errors/answer-unparsed.ts';
import { methodsByPath, routeEveryMethod } from './errors/refuse-other-methods.ts';
import { healthRoutes, type Readiness } from './health/health.routes.ts';
import { logRoutes } from './log/log.routes.ts';
import { observeRequests } from './observability/observe-requests.ts';
import { requestMeter } from './observability/request-meter.ts';
import { serviceMetrics, type ConnectionPool } from './observability/service-metrics.ts';
import { docsRoutes } from './openapi/docs.routes.ts';
import { schemaRoutes } from './openapi/schema.routes.ts';
import { projectRoutes } from './project/project.routes.ts';
import { greetRequests } from './requests/greet-requests.ts';
import { BODY_MAX_BYTES, readJsonBodies } from './requests/json-body.ts';
import { origin } from './requests/origin.ts';
import { requestId } from './requests/request-id.ts';

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
  readonly logger: Logger;
}

const CACHE_MAX_BYTES = 64 * 1024 * 1024;
const HEADERS_TIMEOUT_MS = 30_000;
const REQUEST_TIMEOUT_MS = 60_000;
const TIMEOUT_CHECK_MS = 1000;
const PATH_PARAMETER_MAX = 64 * 1024;

export function buildApp({ ports, settings, readiness, pool, logger }: AppDependencies): FastifyInstance {
  const app = bareServer(settings);
  const { rateLimitPerMinute: perMinute } = settings;
  const limiter = perMinute === null ? unlimited : rateLimiter({ perMinute });
  const uses = keyUses(ports);
  const answers = new AnswerCache({ maxBytes: CACHE_MAX_BYTES });
  const meter = requestMeter();
  const services = {
    ...ports,
    ...settings,
    answers,
    guard: guard({ ...ports, limiter, uses }),
    origin: origin(settings),
  };

  observeRequests(app, { logger, meter });
  flushKeyUses(app, { uses, logger });
  const methods = methodsByPath(app);
  healthRoutes(app, { readiness, meter, metrics: serviceMetrics({ answers, pool }) });
  projectRoutes(app, services);
  for (const family of FAMILIES) configRecordRoutes(app, services, family);
  logRoutes(app, services);
  schemaRoutes(app, settings);
  docsRoutes(app, settings);
  methods.refuseOthers();
  return app;
}

function bareServer({ trustProxy }: AppSettings): FastifyInstance {
  const app = fastify({
    trustProxy,
    bodyLimit: BODY_MAX_BYTES,
    genReqId: requestId,
    requestTimeout: REQUEST_TIMEOUT_MS,
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PATH_PARAMETER_MAX },
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requireHostHeader: false,
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: answerUnroutable,
  });
  app.server.on('connect', answerConnect).on('checkExpectation', app.routing);
  app.setErrorHandler(answerError);
  routeEveryMethod(app);
  readJsonBodies(app);
  greetRequests(app);
  return app;
}
