import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendJson } from '../answers/send-json.ts';
import { greet } from '../requests/greet-requests.ts';
import { problemOf } from './problem-of.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What went wrong on our side, for the log. */
    failure: unknown;
  }
}

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, type, code, detail, attr } = problemOf(error, request.routeOptions.bodyLimit);
  if (status >= 500) request.failure = error;
  if (headers !== undefined) reply.headers(headers);
  if (status === 413 || status === 415) readOn(reply);
  sendJson(reply.code(status), { type, code, detail, attr });
}

/** An address that cannot be read meets no hook on its way. */
export function answerUnroutable(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  greet(request, reply);
  answerError(error, request, reply);
}

/** The framework would end the connection, and with it the answer for a caller that is still sending. */
function readOn(reply: FastifyReply): void {
  reply.removeHeader('connection');
}
