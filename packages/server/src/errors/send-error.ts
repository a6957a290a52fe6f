import type { FastifyReply, FastifyRequest } from 'fastify';
import { jsonBytes, JSON_UTF8, reserveIfLarge, sendBody, type TypedBody } from '../responses/send-json.ts';
import { setCommonHeaders } from '../requests/request-head.ts';
import type { Problem } from './http-problem.ts';
import { problemOf } from './problem-of.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Encodes the error responses of a route whose protocol defines them. */
    encodeProblem?: (problem: Problem, request: FastifyRequest) => TypedBody;
  }
}

/** Headers of admitted requests. The key may be revoked before the write is stored. */
const ADMITTED_HEADERS = ['ratelimit-policy', 'ratelimit', 'set-cookie', 'dry-run'];

/** Sends the error response for an error. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  sendProblem(problemOf(error), error, request, reply);
}

function sendProblem(problem: Problem, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers } = problem;
  const { encodeProblem = problemJson } = request.routeOptions.config;
  const body = encodeProblem(problem, request);
  try {
    reserveIfLarge(reply, body.bytes);
  } catch (noMemory) {
    // Recurses only once, because the error response for that is small.
    return sendProblem(problemOf(noMemory), noMemory, request, reply);
  }
  if (status >= 500) request.failure = error;
  if (status === 401) for (const name of ADMITTED_HEADERS) reply.removeHeader(name);
  if (headers !== undefined) reply.headers(headers);
  if (status === 413 || status === 415) keepConnection(reply);
  sendBody(reply.code(status), body);
}

function problemJson({ status: _status, headers: _headers, ...body }: Problem): TypedBody {
  return { type: JSON_UTF8, bytes: jsonBytes(body) };
}

/** Sends the error response for a malformed URL, for which Fastify runs no hooks. */
export function sendUnroutable(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  setCommonHeaders(request, reply);
  sendProblem(problemOf(error), error, request, reply);
}

/** Undoes Fastify's `Connection: close`: a caller that is still sending would never see the response. */
function keepConnection(reply: FastifyReply): void {
  reply.removeHeader('connection');
}
