import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { invalidRequest, payloadTooLarge, type HttpProblem } from '../errors/http-problem.ts';
import { bodyBlocks, type BodyBlocks } from './body-blocks.ts';
import { boundPieces } from './bound-pieces.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** The body, if the request has one. */
    arriving?: ArrivingBody;
  }
}

export interface BodyLimits {
  /** The largest body as it is sent. */
  readonly maxBytes: number;
  /** Reserves memory before it is used. Throws if there is none left. */
  readonly take: (bytes: number) => void;
}

/** A body that arrives while the request is not admitted yet. */
export interface ArrivingBody {
  /** The answer to the request. */
  readonly answer: ServerResponse;
  /** How long the service has waited for the rest of the body after admission, in milliseconds. */
  readonly awaitedMs: number;
  /** Resolves to the whole body. */
  admit(limits: BodyLimits): Promise<readonly Buffer[]>;
}

/** The most bytes that are buffered before admission. */
const EARLY_BYTES = 64 * 1024;

/** Starts to buffer the body of each request before the request is routed, also if it will be refused. */
export function gatherBodies({ server }: FastifyInstance): void {
  const gather = (request: IncomingMessage, answer: ServerResponse): void => {
    const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.headers;
    if (encoding !== undefined || Number(length) > 0) request.arriving = arrivingBody(request, answer);
  };
  server.prependListener('request', gather).prependListener('checkExpectation', gather);
}

/**
 * Buffers a body from its first piece on: without a listener, Node keeps an object for each piece, a hundred times a one-byte
 * piece. A body of one piece is kept as it is. What arrives after the answer is read and ignored, so that the connection
 * stays usable.
 */
export function arrivingBody(request: IncomingMessage, answer: ServerResponse): ArrivingBody {
  const { 'content-length': announced } = request.headers;
  const length = announced === undefined ? null : Number(announced);
  let limits: BodyLimits | null = null;
  let early = 0;
  let bytes = 0;
  let problem: Error | null = null;
  let whole: Buffer | null = null;
  let blocks: BodyBlocks | null = null;
  let wake = (): void => undefined;
  const take = (more: number): void => {
    if (limits === null) early += more;
    else limits.take(more);
  };
  const fail = (error: unknown): void => {
    problem = error as Error;
    wake();
  };
  const add = (piece: Buffer): void => {
    if (problem !== null || answer.writableFinished) return;
    bytes += piece.length;
    try {
      if (piece.length === length) {
        take(length);
        whole = piece;
      } else (blocks ??= bodyBlocks(take, length ?? Infinity)).add(piece);
      if (limits !== null) checkSize(bytes, limits);
    } catch (error) {
      return fail(error);
    }
    if (limits === null && bytes > EARLY_BYTES) pauseUntilAnswer(request, answer);
  };
  // Only a chunk can be smaller than what a packet costs its sender.
  if (length === null) boundPieces(request, answer, fail);
  request.on('data', add);
  const arriving = {
    answer,
    awaitedMs: 0,
    admit: async (admitted: BodyLimits): Promise<readonly Buffer[]> => {
      const start = performance.now();
      try {
        checkSize(length ?? bytes, admitted);
        admitted.take(early);
      } catch (error) {
        fail(error);
      }
      limits = admitted;
      if (problem === null && !request.readableEnded && !request.destroyed) {
        request.resume();
        await new Promise<void>((resolve) => {
          wake = resolve;
          request.on('end', resolve).on('close', resolve);
        });
      }
      arriving.awaitedMs = performance.now() - start;
      if (problem !== null) throw problem;
      if (!request.readableEnded) throw bodyAborted();
      return whole === null ? (blocks?.end() ?? []) : [whole];
    },
  };
  return arriving;
}

/** Admission resumes the request, too. */
function pauseUntilAnswer(request: IncomingMessage, answer: ServerResponse): void {
  request.pause();
  answer.once('finish', () => request.isPaused() && request.resume());
}

function checkSize(bytes: number, { maxBytes }: BodyLimits): void {
  if (bytes > maxBytes) throw payloadTooLarge(maxBytes);
}

export function bodyAborted(): HttpProblem {
  return invalidRequest(400, 'parse_error', 'The body is incomplete or does not match its headers.');
}
