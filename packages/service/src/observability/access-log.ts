import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { pathOf } from '../requests/request-address.ts';

/** One line a request. What went well and changed nothing is told at `debug` alone. */
export function accessLog({ logger }: { readonly logger: Logger }) {
  return (request: FastifyRequest, reply: FastifyReply, route: string): void => {
    const level = levelOf(request.method, reply.statusCode);
    if (!logger.isLevelEnabled(level)) return;
    logger[level](
      {
        request_id: request.id,
        method: request.method,
        path: pathOf(request.url),
        route,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 1000) / 1000,
        key_id: request.access?.key.id ?? null,
        ...(request.failure != null && { err: request.failure }),
      },
      'request',
    );
  };
}

function levelOf(method: string, status: number): 'debug' | 'info' | 'error' {
  if (status >= 500) return 'error';
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && status < 400 ? 'debug' : 'info';
}
