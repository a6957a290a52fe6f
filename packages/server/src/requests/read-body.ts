import type * as http from 'node:http';
import { DomainError } from '@plugin-config/domain';
import type { FastifyRequest } from 'fastify';
import { HttpProblem, invalidRequest, payloadTooLarge } from '../errors/http-problem.ts';

export interface BodyLimits {
  /** The maximum size of the body as sent. */
  readonly maxBytes: number;
  /** Reserves memory. Throws if none is left. */
  readonly take: (bytes: number) => void;
}

/** The memory that a piece takes in addition to its bytes. */
const PIECE_OVERHEAD = 200;

/** Reads the body without decoding it. If the body is rejected, drops the rest. */
export async function readBody(
  request: FastifyRequest,
  { maxBytes, take }: BodyLimits,
): Promise<readonly Buffer[]> {
  const { raw } = request;
  const start = performance.now();
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    checkSize(Number(raw.headers['content-length'] ?? 0), maxBytes);
    const arriving: AsyncIterable<Buffer> = raw.iterator({ destroyOnReturn: false });
    for await (const piece of arriving) {
      bytes += piece.length;
      checkSize(bytes, maxBytes);
      take(piece.length + PIECE_OVERHEAD);
      pieces.push(piece);
    }
  } catch (error) {
    raw.resume();
    throw error instanceof HttpProblem || error instanceof DomainError ? error : bodyIncomplete();
  } finally {
    request.bodyAwaitedMs = performance.now() - start;
  }
  return pieces;
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
