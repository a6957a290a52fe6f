import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { READINESS_PATH } from '../health/health.routes.ts';
import { accessLog } from './access-log.ts';
import { reasonOf } from './reason-of.ts';
import type { RequestMeter } from './request-meter.ts';
import { endSpanOf, traceRequests } from './trace-requests.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if the answer is a stream. */
    stream: StreamedAnswer | null;
  }
}

/** The fields of a stream in its log line. */
export interface StreamedAnswer {
  readonly events: number;
  readonly endedBy: string;
}

interface Dependencies {
  readonly logger: Logger;
  readonly meter: RequestMeter;
}

/** Stands in logs and metrics for an answer whose caller has hung up. No answer is sent with it. */
const HUNG_UP = 499;

/** Measures, logs and traces every request. */
export function observeRequests(app: FastifyInstance, { logger, meter }: Dependencies): void {
  const logAccess = accessLog({ logger });
  const logReadiness = readinessLog({ logger });
  const observe = (request: FastifyRequest, reply: FastifyReply, status: number): void => {
    const route = request.routeOptions.url ?? 'unknown';
    meter.observe(request.method, route, status, reply.elapsedTime / 1000);
    endSpanOf(request, status);
    const isReadiness = route === READINESS_PATH && (status === 200 || status === 503);
    if (isReadiness) logReadiness(status === 200, request.failure);
    else logAccess({ request, route, status, elapsedMs: reply.elapsedTime });
  };
  app.decorateRequest('failure', null);
  app.decorateRequest('stream', null);
  app.decorateRequest('access', null);
  traceRequests(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.on('close', () => {
      if (reply.raw.writableFinished) return;
      observe(request, reply, request.stream === null ? HUNG_UP : reply.raw.statusCode);
    });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    observe(request, reply, reply.statusCode);
    done();
  });
}

/** Logs a line only when readiness changes, however often it is checked. */
function readinessLog({ logger }: { readonly logger: Logger }) {
  let ready = true;
  return (isReady: boolean, failure: unknown): void => {
    if (ready && !isReady) logger.warn({ reason: reasonOf(failure) }, 'not ready');
    if (!ready && isReady) logger.info('ready again');
    ready = isReady;
  };
}
