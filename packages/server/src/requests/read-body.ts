import type * as http from 'node:http';
import { DomainError } from '@plugin-config/domain';
import { turns } from '@plugin-config/flow/node';
import type { FastifyRequest } from 'fastify';
import { HttpProblem, invalidRequest, payloadTooLarge } from '../errors/http-problem.ts';
import { IncomingMessage } from './node-http.ts';

export interface BodyLimits {
  /** The maximum size of the body as sent. */
  readonly maxBytes: number;
  /** Reserves memory. Throws if none is left. */
  readonly take: (bytes: number) => void;
}

/** The memory that a piece takes in addition to its bytes. */
const PIECE_OVERHEAD = 1024;
const JOINED_PIECES = 500;

/** Reads the body without decoding it. If the body is rejected, drops the rest. */
export async function readBody(
  request: FastifyRequest,
  { maxBytes, take }: BodyLimits,
): Promise<readonly Buffer[]> {
  const { raw } = request;
  const start = performance.now();
  const joined: Buffer[] = [];
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    checkSize(Number(raw.headers['content-length'] ?? 0), maxBytes);
    const arriving: AsyncIterable<Buffer> = raw.iterator({ destroyOnReturn: false });
    for await (const piece of arriving) {
      bytes += piece.length;
      checkSize(bytes, maxBytes);
      const isJoinedLater = joined.length > 0 && pieces.length > 0;
      take(piece.length + (isJoinedLater ? 0 : PIECE_OVERHEAD));
      if (pieces.push(piece) === JOINED_PIECES) joined.push(Buffer.concat(pieces.splice(0)));
    }
  } catch (error) {
    dropBody(raw);
    throw error instanceof HttpProblem || error instanceof DomainError ? error : bodyIncomplete();
  } finally {
    request.bodyAwaitedMs = performance.now() - start;
  }
  return [...joined, ...pieces];
}

/** The first `SMALL_PIECES` of a body may have any size. After that, pieces must average `PIECE_BYTES`. */
const SMALL_PIECES = 1000;
const PIECE_BYTES = 32;

/**
 * Closes the connection if the body arrives in thousands of tiny pieces. Each takes as much time as a large piece, and a KiB of
 * memory until it is read.
 */
export class BoundedMessage extends IncomingMessage {
  #pieces = 0;
  #bytes = 0;

  override push(piece: Buffer | null): boolean {
    if (piece !== null) {
      this.#bytes += piece.length;
      if (++this.#pieces > SMALL_PIECES + this.#bytes / PIECE_BYTES) this.destroy();
      if (this.destroyed) return false;
    }
    return super.push(piece);
  }
}

/** How many pieces of dropped bodies are read in one turn of the event loop, across all requests. */
const DROPPED_PER_TURN = 16;
const turn = turns(DROPPED_PER_TURN);

/** Reads the rest of a body and drops it, so a caller that is still sending gets the response. */
export function dropBody(raw: http.IncomingMessage): void {
  raw.on('data', () => {
    raw.pause();
    void turn().then(() => raw.resume());
  });
}

export function hasBody({ raw: { headers } }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/** Whether a body has text in UTF-8, which is the default. */
export function isUtf8({ 'content-type': type = '' }: http.IncomingHttpHeaders): boolean {
  return /^utf-?8$/i.test(CHARSET.exec(type)?.[1] ?? 'utf-8');
}

function checkSize(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw payloadTooLarge(maxBytes);
}

export function bodyIncomplete(): HttpProblem {
  return invalidRequest(400, 'parse_error', 'The body is incomplete or does not match its headers.');
}
