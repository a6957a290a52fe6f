import type { IncomingMessage, ServerResponse } from 'node:http';
import { invalidRequest, payloadTooLarge, type HttpProblem } from '../errors/http-problem.ts';
import { bodyBlocks } from './body-blocks.ts';

export interface BodyLimits {
  /** Of the body as it is sent. */
  readonly mostBytes: number;
  /** Is told of memory before it is used. Throws where there is none. */
  readonly take: (bytes: number) => void;
}

/** A body that begins to arrive before it is known whose it is. */
export interface ArrivingBody {
  /** Resolves to the whole body. */
  admit(limits: BodyLimits): Promise<readonly Buffer[]>;
}

/** What is kept of a body that is not admitted yet. */
const EARLY_BYTES = 64 * 1024;
/** So many pieces may be of any size; of a body in more pieces, each has so many bytes on average. */
const SMALL_PIECES = 1000;
const PIECE_BYTES = 16;

/**
 * Gathers a body from its first piece on: Node keeps an object for each piece that nobody listens for, which costs a
 * hundred times a piece of one byte. What is still sent after the answer is read and thrown away, so that the
 * connection can go on.
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
    if (limits !== null && blocks.bytes > limits.mostBytes) throw payloadTooLarge(limits.mostBytes);
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
      if (!request.readableEnded) reject(brokenOff());
    });
  answer.on('finish', () => {
    ignore();
    if (!cutOff) request.resume();
  });
  return {
    admit: async (given) => {
      try {
        given.take(early);
        limits = given;
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

export function brokenOff(): HttpProblem {
  return invalidRequest(400, 'parse_error', 'The body did not arrive whole, or is not what its headers say.');
}

function tooSmallPieces(): HttpProblem {
  return invalidRequest(
    400,
    'parse_error',
    'The body arrives in too many small pieces: send a line or more in each chunk.',
    // Each further piece costs as much as a request: none is read, and the answer ends the connection.
    { connection: 'close' },
  );
}
