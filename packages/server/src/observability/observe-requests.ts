import { failSpan } from '@plugin-config/tracing';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { READINESS_PATH } from '../health/health.routes.ts';
import { pathOf } from '../requests/request-head.ts';
import { traceFields } from './logger.ts';
import { reasonOf } from './log-failure.ts';
import { requestMeter } from './request-meter.ts';
import { traceRequests } from './trace-requests.ts';

/** The fields of a stream in the access log. */
export interface StreamSummary {
  readonly events: number;
  readonly endedBy: string;
}

interface Dependencies {
  readonly logger: Logger;
  readonly metrics: Registry;
}

/** The status in logs and metrics if the caller hung up before the end of the response. It is never sent. */
const HUNG_UP = 499;
const FAILED = 500;

/** Measures, logs and traces every request. */
export function observeRequests(app: FastifyInstance, { logger, metrics }: Dependencies): void {
  const meter = requestMeter(metrics);
  const logAccess = accessLog({ logger });
  const logReadiness = readinessLog({ logger });
  const observe = (request: FastifyRequest, reply: FastifyReply, status: number): void => {
    const route = request.routeOptions.url ?? 'unknown';
    meter(request.method, route, status, reply.elapsedTime / 1000);
    endSpanOf(request, status);
    const isReadiness = route === READINESS_PATH && (status === 200 || status === 503);
    if (isReadiness) logReadiness(status === 200, request.failure);
    else logAccess({ request, reply, route, status });
  };
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

/** Ends the span of a request. Later calls do nothing. */
export function endSpanOf({ span, access }: FastifyRequest, status: number): void {
  if (span?.isRecording() !== true) return;
  span.setAttribute('http.response.status_code', status);
  if (access !== null && access.projectId > 0)
    span.setAttribute('plugin_config.project_id', access.projectId);
  if (status >= FAILED) failSpan(span, String(status));
  span.end();
}

/** Logs a line only when readiness changes. */
function readinessLog({ logger }: { readonly logger: Logger }) {
  let ready = true;
  return (isReady: boolean, failure: unknown): void => {
    if (ready && !isReady) logger.warn({ reason: reasonOf(failure) }, 'not ready');
    if (!ready && isReady) logger.info('ready again');
    ready = isReady;
  };
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly route: string;
  readonly status: number;
}

/** Logs a line for each request; successful reads only at `debug`. */
function accessLog({ logger }: { readonly logger: Logger }) {
  return ({ request, reply, route, status }: Exchange): void => {
    const level = levelOf(request.method, status);
    if (!logger.isLevelEnabled(level)) return;
    logger[level](
      {
        request_id: request.id,
        ...traceFields(request.span),
        method: request.method,
        path: pathOf(request.url),
        route,
        status,
        duration_ms: Math.round(reply.elapsedTime * 1000) / 1000,
        key_id: request.access?.key.id ?? null,
        ...(reply.hasHeader('dry-run') && { dry_run: true }),
        ...streamOf(request),
        ...failureOf(request, level),
      },
      'request',
    );
  };
}

type Level = 'debug' | 'info' | 'warn' | 'error';

function levelOf(method: string, status: number): Level {
  if (status === 503) return 'warn';
  if (status >= FAILED) return 'error';
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && status < 400 ? 'debug' : 'info';
}

function streamOf({ stream }: FastifyRequest): { events?: number; ended_by?: string } {
  return stream === null ? {} : { events: stream.events, ended_by: stream.endedBy };
}

function failureOf({ failure }: FastifyRequest, level: Level): { reason?: string; err?: unknown } {
  if (failure == null) return {};
  return level === 'warn' ? { reason: reasonOf(failure) } : { err: failure };
}
