import type { QueryCounts } from '@plugin-config/clickhouse';
import { perFamily, runtimeVersions } from '@plugin-config/domain';
import { perTimeline, type PostgresPorts } from '@plugin-config/persistence';
import {
  accessOf,
  CALLER_TIMEOUTS,
  guardRequests,
  healthRoutes,
  trackMethods,
  observeRequests,
  openGate,
  openServer,
  openThread,
  type MeasuredDatabase,
  type CallerTimeouts,
  type Readiness,
} from '@plugin-config/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { activityHandler, familyActivityHandler } from './activity/activity-handler.ts';
import { auditHandler } from './administration/audit-handler.ts';
import { keyHandlers } from './administration/key-handlers.ts';
import { pluginHandlers } from './administration/plugin-handlers.ts';
import { alertHandlers, projectIncidentsHandler } from './alert/alert-handlers.ts';
import {
  deliveryHandlers,
  projectErrorsHandler,
  reportedErrorsHandler,
} from './delivery/delivery-handlers.ts';
import { jobHandlers } from './job/job-handlers.ts';
import { waitingClaims } from './job/waiting-claims.ts';
import { ResponseCache } from './responses/response-cache.ts';
import { declarationHandlers } from './declaration/declaration-handlers.ts';
import { logHandlers } from './log/log-handlers.ts';
import { recordOverviewHandler } from './overview/record-overview-handler.ts';
import { changeHandlers } from './record/change-handlers.ts';
import { listHandler } from './record/list-handler.ts';
import { rearrangeHandler } from './record/rearrange-handler.ts';
import { frontendHandler, retrieveHandler } from './record/retrieve-handler.ts';
import { revisionHandlers } from './revision/revision-handlers.ts';
import { projectRuntimesHandler, runtimeHandlers } from './runtime/runtime-handlers.ts';
import { runtimeWaits } from './runtime/runtime-waits.ts';
import { connectionBounds } from './lifecycle/connection-bounds.ts';
import { mountEndpoints, type AllHandlers } from './endpoints/mount-endpoints.ts';
import { serviceMetrics } from './observability/service-metrics.ts';
import { consoleRoutes } from './console/console.routes.ts';
import { docsRoutes } from './openapi/docs.routes.ts';
import { schemaRoutes } from './openapi/schema.routes.ts';
import { erasureHandlers } from './project/erasure-handlers.ts';
import { changeProjectHandlers, projectHandlers } from './project/project-handlers.ts';
import { pageSessions } from './session/page-sessions.ts';
import { sessionHandlers } from './session/session-handlers.ts';
import { oidcRoutes } from './session/oidc/oidc.routes.ts';
import { exchangeRoute } from './trust/exchange.route.ts';
import { publishedKeysVerifier } from './trust/id-tokens.ts';
import { issuerRequests, jsonReader } from './trust/issuer-requests.ts';
import { publishedIssuers } from './trust/published-issuers.ts';
import { pluginVersionHandlers } from './plugin-version/plugin-version-handlers.ts';
import { trustHandlers } from './trust/trust-handlers.ts';
import { webhookHandlers } from './webhook/webhook-handlers.ts';
import { openStreams, type OpenStreams } from './streams/open-streams.ts';
import { openFamilyFeeds, openFeedChanges, streamHandlers } from './streams/stream-handlers.ts';
import { watchedKeys } from './streams/watched-keys.ts';
import { BODY_MAX_BYTES } from './requests/json-body.ts';
import { baseUrl } from './requests/base-url.ts';
import type { AppSettings, Ports, Services } from './services.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly streams: OpenStreams;
    /** Ends all streams and long polls, before a shutdown. */
    readonly endWaiting: () => void;
  }
}

export interface AppDependencies {
  readonly ports: Ports;
  /** For dry runs: they return the same results, but commit nothing. */
  readonly dryPorts: PostgresPorts;
  readonly settings: AppSettings;
  readonly readiness: Readiness;
  readonly database: MeasuredDatabase;
  /** Null if `CLICKHOUSE_URL` is not set. */
  readonly clickHouse?: { readonly counts: QueryCounts } | null;
  readonly logger: Logger;
  /** Defaults to `CALLER_TIMEOUTS`. */
  readonly timeouts?: HttpTimeouts;
}

export interface HttpTimeouts extends CallerTimeouts {
  /** The interval between two keep-alive comments on a stream. */
  readonly commentSeconds?: number;
  /** The interval between two checks of the keys of streams and waits. Defaults to `KEY_CHECK_MS`. */
  readonly keyCheckMs?: number;
}

const CACHE_MAX_BYTES = 64 * 1024 * 1024;

export function buildApp({
  ports,
  dryPorts,
  settings,
  readiness,
  database,
  clickHouse = null,
  logger,
  timeouts = CALLER_TIMEOUTS,
}: AppDependencies): FastifyInstance {
  const { trustProxy, corsOrigins, rateLimitPerMinute } = settings;
  const { primary } = database;
  const limits = connectionBounds();
  const gate = openGate({
    poolSize: database.pool.options.max,
    streams: limits.streams,
    changesPerMinute: settings.adminChangesPerMinute,
  });
  const app = openServer({
    gate,
    trustProxy,
    corsOrigins,
    bodyLimit: BODY_MAX_BYTES,
    maxConnections: limits.connections,
    timeouts,
  });
  const responsesOn = perTimeline(() => new ResponseCache({ maxBytes: CACHE_MAX_BYTES }));
  const responses = (request: FastifyRequest) => responsesOn(accessOf(request).timeline);
  const keys = watchedKeys({ ...ports, logger, checkMs: timeouts.keyCheckMs });
  const streams = openStreams({ ...timeouts, keys, logger, gate });
  app.decorate('streams', streams);
  const metrics = serviceMetrics({
    responses: () => responsesOn(primary.timeline).statistics,
    gate,
    database,
    clickHouse,
    streams,
    wakeUps: ports.wakeUps,
  });
  observeRequests(app, { logger, metrics });
  const feedsOn = perTimeline(() => openFamilyFeeds({ ...ports, logger }));
  const feeds = (request: FastifyRequest) => feedsOn(accessOf(request).timeline);
  const versionsOn = perTimeline(() => runtimeVersions(ports));
  const versions = (request: FastifyRequest) => versionsOn(accessOf(request).timeline);
  const waits = runtimeWaits({ ...ports, keys });
  const claims = waitingClaims({ ...ports, logger });
  const feedChangesOn = perTimeline(() =>
    perFamily((family) => openFeedChanges({ ...ports, family, logger })),
  );
  const feedChanges = (request: FastifyRequest) => feedChangesOn(accessOf(request).timeline);
  app.decorate('endWaiting', () => {
    streams.shutDown();
    waits.shutDown();
  });
  app.addHook('preClose', async () => app.endWaiting());
  const common = { ...ports, ...settings, baseUrl: baseUrl(settings) };
  const sessions = pageSessions(common);
  const sendToIssuer = issuerRequests({ rules: settings.issuerRules });
  const readJson = jsonReader(sendToIssuer);
  const issuers = publishedIssuers({ rules: settings.issuerRules, readJson, logger });
  const idTokens = publishedKeysVerifier(issuers);
  const services: Services = {
    ...common,
    responses,
    feeds,
    versions,
    waits,
    claims,
    feedChanges,
    sessions,
    thread: openThread(new URL('./thread.ts', import.meta.url)),
    logger,
  };
  const dryServices: Services = {
    ...services,
    ...dryPorts,
  };
  const sessionOf = sessions.of;
  const guard = guardRequests(app, { ...ports, primary, logger, rateLimitPerMinute, sessionOf });
  const rejectOthers = trackMethods(app);
  healthRoutes(app, { readiness, metrics });
  const handlersOf = (of: Services): AllHandlers => ({
    ...projectHandlers(of),
    ...changeProjectHandlers(of),
    ...erasureHandlers(of),
    ...sessionHandlers(of),
    ...keyHandlers(of),
    ...trustHandlers(of),
    listAudit: auditHandler(of),
    ...pluginHandlers(of),
    ...pluginVersionHandlers(of),
    ...declarationHandlers(of),
    listRecords: listHandler(of),
    retrieveRecord: retrieveHandler(of),
    ...changeHandlers(of),
    rearrangeRecords: rearrangeHandler(of),
    retrieveRecordOverview: recordOverviewHandler(of),
    retrieveFrontend: frontendHandler(of),
    retrieveActivity: activityHandler(of),
    listActivity: familyActivityHandler(of),
    ...revisionHandlers(of),
    ...jobHandlers(of),
    ...deliveryHandlers(of),
    listErrors: reportedErrorsHandler(of),
    ...logHandlers(of),
    ...streamHandlers(of),
    ...runtimeHandlers(of),
    ...alertHandlers(of),
    ...webhookHandlers(of),
    listProjectErrors: projectErrorsHandler(of),
    listProjectIncidents: projectIncidentsHandler(of),
    listProjectRuntimes: projectRuntimesHandler(of),
  });
  mountEndpoints(app, guard, { real: handlersOf(services), dry: handlersOf(dryServices) });
  exchangeRoute(app, { ...services, idTokens });
  if (settings.oidc !== null)
    oidcRoutes(app, settings.oidc, { ...services, idTokens, issuers, sendToIssuer });
  schemaRoutes(app, settings);
  docsRoutes(app, settings);
  consoleRoutes(app, settings);
  rejectOthers();
  return app;
}
