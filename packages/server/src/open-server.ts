import type { Budget } from '@plugin-config/flow';
import { fastify, type FastifyInstance } from 'fastify';
import { closeStalledConnections } from './answers/close-stalled-connections.ts';
import { closeUnreadBodies } from './answers/close-unread-bodies.ts';
import { unsentAnswers } from './answers/unsent-answers.ts';
import { answerError, answerUnroutable } from './errors/answer-error.ts';
import { answerClientError, answerConnect } from './errors/answer-unparsed.ts';
import { routeEveryMethod } from './errors/reject-other-methods.ts';
import { callerMemory } from './gate/memory.ts';
import { boundConnections } from './lifecycle/bound-connections.ts';
import { allowOrigins, answerPreflights } from './requests/allow-origins.ts';
import { BoundedMessage } from './requests/bounded-message.ts';
import { checkHead, requestId } from './requests/request-head.ts';

export interface ServerSettings {
  readonly trustProxy: boolean | string;
  readonly bodyLimit: number;
  /** `callerMemory` unless set. */
  readonly memory?: Budget;
  /** The origins whose pages may call the service; none unless set. */
  readonly corsOrigins?: ReadonlySet<string>;
  /** The most connections at a time; a few thousand unless set. */
  readonly maxConnections?: number;
  /** `CALLER_TIMEOUTS` unless set. */
  readonly timeouts?: CallerTimeouts;
}

/** How long a caller may take. */
export interface CallerTimeouts {
  /** From the begin of a request to the end of its headers. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How long an answer may make no progress. Node checks once per interval, so it may last twice as long. */
  readonly stalledMs: number;
}

export const CALLER_TIMEOUTS: CallerTimeouts = { headersMs: 30_000, requestMs: 60_000, stalledMs: 30_000 };
const TIMEOUT_CHECK_MS = 1000;
/** Less than the limit of open files, 4,096 on most machines. */
const CONNECTIONS_MAX = 3000;
const PATH_PARAMETER_MAX = 64 * 1024;

/** Opens a server without routes that bounds its connections and answers errors. */
export function openServer({
  trustProxy,
  bodyLimit,
  memory = callerMemory(),
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
      IncomingMessage: BoundedMessage,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requireHostHeader: false,
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: answerUnroutable,
  });
  app.server.on('connect', answerConnect).on('checkExpectation', app.routing);
  boundConnections(app.server, maxConnections);
  app.decorate('memory', memory);
  app.decorate('unsent', unsentAnswers(memory));
  closeStalledConnections(app.server, timeouts.stalledMs);
  closeUnreadBodies(app);
  app.setErrorHandler(answerError);
  app.removeAllContentTypeParsers();
  // Handlers read bodies themselves, within the memory of the account.
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.decorateRequest('bodyAwaitedMs', 0);
  routeEveryMethod(app);
  allowOrigins(app, corsOrigins);
  checkHead(app);
  answerPreflights(app, corsOrigins);
  return app;
}
