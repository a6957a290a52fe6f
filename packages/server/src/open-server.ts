import { fastify, type FastifyInstance } from 'fastify';
import { rejectUnparsed } from './errors/reject-unparsed.ts';
import { sendError, sendUnroutable } from './errors/send-error.ts';
import type { Gate } from './gate/gate.ts';
import { closeStalledConnections, closeUnreadBodies } from './lifecycle/bound-connections.ts';
import { allowOrigins, allowPreflights } from './requests/allow-origins.ts';
import { checkHead, requestId } from './requests/request-head.ts';
import { decorateRequests } from './request-state.ts';
import { unsentResponses } from './responses/unsent-responses.ts';

export interface ServerSettings {
  readonly trustProxy: boolean | string;
  readonly bodyLimit: number;
  readonly gate: Gate;
  /** The origins whose pages may call the service. Defaults to none. */
  readonly corsOrigins?: ReadonlySet<string>;
  readonly maxConnections?: number;
  /** Defaults to `CALLER_TIMEOUTS`. */
  readonly timeouts?: CallerTimeouts;
}

/** How long a caller may take. */
export interface CallerTimeouts {
  /** From the start of a request to the end of its headers. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How long a response may stall. Node checks once per interval, so the actual limit is up to twice as long. */
  readonly stalledMs: number;
  /** The interval between two checks of incomplete requests. Defaults to a second. */
  readonly checkMs?: number;
}

export const CALLER_TIMEOUTS: CallerTimeouts = { headersMs: 30_000, requestMs: 60_000, stalledMs: 30_000 };
const CHECK_MS = 1000;
/** Less than the limit on open files, which is 4,096 on most machines. */
const CONNECTIONS_MAX = 3000;
const PATH_PARAMETER_MAX = 64 * 1024;

/** Creates a server without routes that limits its connections and sends error responses. */
export function openServer({
  trustProxy,
  bodyLimit,
  gate,
  corsOrigins = new Set(),
  maxConnections = CONNECTIONS_MAX,
  timeouts = CALLER_TIMEOUTS,
}: ServerSettings): FastifyInstance {
  const app = fastify({
    trustProxy,
    bodyLimit,
    genReqId: requestId,
    requestTimeout: timeouts.requestMs,
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PATH_PARAMETER_MAX },
    http: {
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkMs ?? CHECK_MS,
      requireHostHeader: false,
    },
    clientErrorHandler: rejectUnparsed,
    frameworkErrors: sendUnroutable,
  });
  app.server.maxConnections = maxConnections;
  decorateRequests(app);
  app.decorate('gate', gate);
  app.decorate('unsent', unsentResponses(gate));
  closeStalledConnections(app.server, timeouts.stalledMs);
  closeUnreadBodies(app);
  app.setErrorHandler(sendError);
  app.removeAllContentTypeParsers();
  // Handlers read bodies themselves, within the memory of the account.
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  allowOrigins(app, corsOrigins);
  checkHead(app);
  allowPreflights(app, corsOrigins);
  return app;
}
