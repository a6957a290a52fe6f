import type { FastifyReply, FastifyRequest } from 'fastify';
import { jsonBytes, reserveIfLarge, sendReservedJson } from '../answers/send-json.ts';
import { setCommonHeaders } from '../requests/request-head.ts';
import { problemOf } from './problem-of.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The server's own error, for the log. */
    failure: unknown;
  }
}

/** What a request gets once it is admitted. It may be found out later that its key has been revoked. */
const OF_ADMITTED = ['ratelimit-policy', 'ratelimit', 'set-cookie', 'dry-run'];

/** Answers a refusal or a failure. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void | Promise<void> {
  const problem = problemOf(error, request.routeOptions.bodyLimit);
  const confirm = problem.status < 500 ? request.access?.confirm : null;
  if (confirm != null) return answerConfirmed(confirm, error, request, reply);
  answerProblem(problem, error, request, reply);
}

/** Answers why the request is not admitted after all, or else the refusal. */
async function answerConfirmed(
  confirm: () => Promise<unknown>,
  refusal: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  let error = refusal;
  try {
    await confirm();
  } catch (newer) {
    error = newer;
  }
  // Nothing is left to confirm.
  await answerError(error, request, reply);
}

function answerProblem(
  { status, headers, ...body }: ReturnType<typeof problemOf>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const bytes = jsonBytes(body);
  try {
    reserveIfLarge(reply, bytes);
  } catch (noRoom) {
    // That refusal is small.
    return answerProblem(problemOf(noRoom, request.routeOptions.bodyLimit), noRoom, request, reply);
  }
  if (status >= 500) request.failure = error;
  if (status === 401) for (const name of OF_ADMITTED) reply.removeHeader(name);
  if (headers !== undefined) reply.headers(headers);
  if (status === 413 || status === 415) keepConnection(reply);
  sendReservedJson(reply.code(status), bytes);
}

/** Answers a request whose URL is malformed. Fastify runs no hooks for it. */
export function answerUnroutable(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  setCommonHeaders(request, reply);
  answerProblem(problemOf(error, request.routeOptions.bodyLimit), error, request, reply);
}

/** Fastify closes the connection here, so a caller that is still sending would lose the answer. */
function keepConnection(reply: FastifyReply): void {
  reply.removeHeader('connection');
}
