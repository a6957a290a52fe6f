import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { arrivingBody, type ArrivingBody } from './arriving-body.ts';
import { smallBody } from './small-body.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** The body, if the request has one. */
    arriving?: Arriving;
  }
}

export interface Arriving {
  readonly body: ArrivingBody;
  /** The answer to the request. */
  readonly answer: ServerResponse;
  /** How long the service has waited for the rest of the body, in milliseconds. */
  awaitedMs: number;
}

const SMALL_BYTES = 16 * 1024;

/** Starts to buffer the body of each request before the request is routed, also if it will be refused. */
export function gatherBodies({ server }: FastifyInstance): void {
  const gather = (request: IncomingMessage, answer: ServerResponse): void => {
    const body = bodyOf(request, answer);
    if (body !== null) request.arriving = { body, answer, awaitedMs: 0 };
  };
  server.prependListener('request', gather).prependListener('checkExpectation', gather);
}

function bodyOf(request: IncomingMessage, answer: ServerResponse): ArrivingBody | null {
  const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.headers;
  if (encoding !== undefined) return arrivingBody(request, answer);
  const bytes = Number(length);
  if (bytes === 0) return null;
  return bytes <= SMALL_BYTES ? smallBody(request, bytes) : arrivingBody(request, answer);
}
