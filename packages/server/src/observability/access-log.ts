import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { pathOf } from '../requests/request-address.ts';
import { reasonOf } from './reason-of.ts';
import { traceFields } from './trace-requests.ts';

interface Exchange {
  readonly request: FastifyRequest;
  readonly route: string;
  readonly status: number;
  readonly elapsedMs: number;
}

/** Logs one line for each request; a successful read only at `debug`. */
export function accessLog({ logger }: { readonly logger: Logger }) {
  return ({ request, route, status, elapsedMs }: Exchange): void => {
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
        duration_ms: Math.round(elapsedMs * 1000) / 1000,
        key_id: request.access?.key.id ?? null,
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
  if (status >= 500) return 'error';
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
