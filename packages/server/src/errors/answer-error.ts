import type { FastifyReply, FastifyRequest } from 'fastify';
import { jsonBytes, JSON_UTF8, reserveIfLarge, sendEncoded, type EncodedBody } from '../answers/send-json.ts';
import { setCommonHeaders } from '../requests/request-head.ts';
import type { Problem } from './http-problem.ts';
import { problemOf } from './problem-of.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Encodes the error responses of a route whose protocol defines them. */
    encodeProblem?: (problem: Problem, request: FastifyRequest) => EncodedBody;
  }

  interface FastifyRequest {
    /** The server's own error, for the log. */
    failure: unknown;
  }
}

/** What a request gets once it is admitted. It may be found out later that its key has been revoked. */
const OF_ADMITTED = ['ratelimit-policy', 'ratelimit', 'set-cookie', 'dry-run'];

/** Answers a rejection or a failure. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void | Promise<void> {
  const problem = problemOf(error);
  const confirm = problem.status < 500 ? request.access?.confirm : null;
  if (confirm != null) return answerConfirmed(confirm, error, request, reply);
  answerProblem(problem, error, request, reply);
}

/** Answers why the request is not admitted after all, or else the rejection. */
async function answerConfirmed(
  confirm: () => Promise<unknown>,
  rejection: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  let error = rejection;
  try {
    await confirm();
  } catch (newer) {
    error = newer;
  }
  // Nothing is left to confirm.
  await answerError(error, request, reply);
}

function answerProblem(problem: Problem, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers } = problem;
  const { encodeProblem = problemJson } = request.routeOptions.config;
  const body = encodeProblem(problem, request);
  try {
    reserveIfLarge(reply, body.bytes);
  } catch (noRoom) {
    // That rejection is small.
    return answerProblem(problemOf(noRoom), noRoom, request, reply);
  }
  if (status >= 500) request.failure = error;
  if (status === 401) for (const name of OF_ADMITTED) reply.removeHeader(name);
  if (headers !== undefined) reply.headers(headers);
  if (status === 413 || status === 415) keepConnection(reply);
  sendEncoded(reply.code(status), body);
}

function problemJson({ status: _status, headers: _headers, ...body }: Problem): EncodedBody {
  return { type: JSON_UTF8, bytes: jsonBytes(body) };
}

/** Answers a request whose URL is malformed. Fastify runs no hooks for it. */
export function answerUnroutable(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  setCommonHeaders(request, reply);
  answerProblem(problemOf(error), error, request, reply);
}

/** Fastify closes the connection here, so a caller that is still sending would lose the answer. */
function keepConnection(reply: FastifyReply): void {
  reply.removeHeader('connection');
}
