import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendJson } from '../answers/send-json.ts';
import { setCommonHeaders } from '../requests/request-head.ts';
import { problemOf } from './problem-of.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The server's own error, for the log. */
    failure: unknown;
  }
}

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, ...body } = problemOf(error, request.routeOptions.bodyLimit);
  if (status >= 500) request.failure = error;
  if (headers !== undefined) reply.headers(headers);
  if (status === 413 || status === 415) keepConnection(reply);
  sendJson(reply.code(status), body);
}

/** Answers a request whose URL is malformed. Fastify runs no hooks for it. */
export function answerUnroutable(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  setCommonHeaders(request, reply);
  answerError(error, request, reply);
}

/** Fastify closes the connection here, so a caller that is still sending would lose the answer. */
function keepConnection(reply: FastifyReply): void {
  reply.removeHeader('connection');
}
