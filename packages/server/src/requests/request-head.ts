import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ambiguousHead, badHost, endpointNotFound, type HttpProblem } from '../errors/http-problem.ts';

/** Headers of which Node silently keeps only the first line, while a proxy may read another. Keyed by the length of the name. */
const SINGLE_HEADERS: Readonly<Record<number, string>> = {
  4: 'host',
  12: 'content-type',
  13: 'authorization',
};

const REQUEST_ID = /^[\w.-]{1,128}$/;
const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** Returns the caller's request id if it is well-formed, otherwise a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}

/** Sets the common headers, and rejects requests with an ambiguous head or an unknown path. */
export function checkHead(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply);
    const problem = problemOf(request.raw);
    if (problem !== null) done(problem);
    else if (request.is404) done(endpointNotFound());
    else done();
  });
}

export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
}

/** HTTP/1.1 requires exactly one `Host`; HTTP/1.0 allows at most one. */
function problemOf({ rawHeaders, headers, httpVersion }: IncomingMessage): HttpProblem | null {
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') {
    return ambiguousHead('The only supported transfer encoding is chunked.');
  }
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const rawName = rawHeaders[i] ?? '';
    const name = SINGLE_HEADERS[rawName.length];
    if (name === undefined || rawName.toLowerCase() !== name) continue;
    if (name === 'host') hosts++;
    else if (rawHeaders[i + 1] !== headers[name])
      return ambiguousHead(`The request has ${name} headers that contradict each other.`);
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0') ? null : badHost();
}

/** Returns the path of a request target, without decoding it. */
export function pathOf(url: string): string {
  const path = url.startsWith('/') ? url : url.replace(AUTHORITY, '');
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

/** Returns the query of a request target, without the question mark. */
export function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}
