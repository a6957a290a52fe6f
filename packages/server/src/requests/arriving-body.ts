import type { IncomingMessage, ServerResponse } from 'node:http';
import { invalidRequest, payloadTooLarge, type HttpProblem } from '../errors/http-problem.ts';
import { bodyBlocks } from './body-blocks.ts';

export interface BodyLimits {
  /** The largest body as it is sent. */
  readonly maxBytes: number;
  /** Reserves memory before it is used. Throws if there is none left. */
  readonly take: (bytes: number) => void;
}

/** A body that arrives while the request is not admitted yet. */
export interface ArrivingBody {
  /** Resolves to the whole body. */
  admit(limits: BodyLimits): Promise<readonly Buffer[]>;
}

/** The most bytes that are buffered before admission. */
const EARLY_BYTES = 64 * 1024;
/** The first `SMALL_PIECES` pieces may be of any size; further ones must have `PIECE_BYTES` on average. */
const SMALL_PIECES = 1000;
const PIECE_BYTES = 16;

/**
 * Buffers a body from its first piece on. Without a listener, Node keeps an object for each piece, which costs a hundred
 * times as much as a piece of one byte. What arrives after the answer is read and ignored, so that the connection stays
 * usable.
 */
export function arrivingBody(request: IncomingMessage, answer: ServerResponse): ArrivingBody {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Buffer[]>();
  let limits: BodyLimits | null = null;
  let early = 0;
  let pieces = 0;
  let cutOff = false;
  const blocks = bodyBlocks((bytes) => {
    if (limits === null) early += bytes;
    else limits.take(bytes);
  });
  const check = (): void => {
    if (limits !== null && blocks.bytes > limits.maxBytes) throw payloadTooLarge(limits.maxBytes);
    if (pieces <= SMALL_PIECES + blocks.bytes / PIECE_BYTES) return;
    cutOff = true;
    request.socket.pause();
    throw tooSmallPieces();
  };
  const ignore = (): void => void request.off('data', add);
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      ignore();
      reject(error);
    }
  };
  const add = (piece: Buffer): void =>
    attempt(() => {
      pieces++;
      blocks.add(piece);
      check();
      if (limits === null && blocks.bytes > EARLY_BYTES) request.pause();
    });
  promise.catch(() => undefined);
  request
    .on('data', add)
    .on('end', () => resolve(blocks.end()))
    .on('close', () => {
      if (!request.readableEnded) reject(bodyAborted());
    });
  answer.on('finish', () => {
    ignore();
    if (!cutOff) request.resume();
  });
  return {
    admit: async (admitted) => {
      try {
        admitted.take(early);
        limits = admitted;
        check();
      } catch (error) {
        ignore();
        throw error;
      }
      request.resume();
      return promise;
    },
  };
}

export function bodyAborted(): HttpProblem {
  return invalidRequest(400, 'parse_error', 'The body is incomplete or does not match its headers.');
}

function tooSmallPieces(): HttpProblem {
  return invalidRequest(
    400,
    'parse_error',
    'The body arrives in too many small pieces: send a line or more in each chunk.',
    // Each further piece would cost as much as a request, so the rest is not read.
    { connection: 'close' },
  );
}
