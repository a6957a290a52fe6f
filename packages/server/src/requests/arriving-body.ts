import type { IncomingMessage, ServerResponse } from 'node:http';
import { invalidRequest, payloadTooLarge, type HttpProblem } from '../errors/http-problem.ts';
import { bodyBlocks } from './body-blocks.ts';
import { dropPieces } from './drop-pieces.ts';
import { stopReading } from './stop-reading.ts';
import { turns } from '@plugin-config/flow/node';

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
const PIECE_BYTES = 32;
/** How many bodies in small pieces are read, 64 KiB of each at most, before other connections have their turn. */
const READS_PER_TURN = 4;

const nextTurn = turns(READS_PER_TURN);

/**
 * Buffers a body from its first piece on. Without a listener, Node keeps an object for each piece, which costs a hundred
 * times as much as a piece of one byte. What arrives after the answer is read and ignored, so that the connection stays
 * usable. A body in many small pieces is read in turns, since Node would read up to 2 MiB of it at once; if the pieces cost
 * more than they carry, it is cut off at any time, even after the answer.
 */
export function arrivingBody(request: IncomingMessage, answer: ServerResponse): ArrivingBody {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Buffer[]>();
  let limits: BodyLimits | null = null;
  let early = 0;
  let pieces = 0;
  let bytes = 0;
  let isIgnored = false;
  let isCutOff = false;
  const blocks = bodyBlocks((more) => {
    if (limits === null) early += more;
    else limits.take(more);
  });
  const check = (): void => {
    if (limits !== null && bytes > limits.maxBytes) throw payloadTooLarge(limits.maxBytes);
  };
  const fail = (error: unknown): void => {
    isIgnored = true;
    reject(error);
  };
  const cutOff = (): void => {
    isCutOff = true;
    dropPieces(request);
    stopReading(request.socket);
    if (answer.headersSent) request.socket.destroy();
    else answer.setHeader('connection', 'close');
    fail(tooSmallPieces());
  };
  const waitForTurn = (): void => {
    const goOn = stopReading(request.socket);
    setImmediate(() => void nextTurn().then(() => isCutOff || goOn()));
  };
  const add = (piece: Buffer): void => {
    bytes += piece.length;
    if (++pieces > SMALL_PIECES + bytes / PIECE_BYTES) return cutOff();
    if (pieces % SMALL_PIECES === 0) waitForTurn();
    if (isIgnored) return;
    try {
      blocks.add(piece);
      check();
    } catch (error) {
      return fail(error);
    }
    if (limits === null && bytes > EARLY_BYTES) request.pause();
  };
  promise.catch(() => undefined);
  request
    .on('data', add)
    .on('end', () => resolve(blocks.end()))
    .on('close', () => {
      if (!request.readableEnded) reject(bodyAborted());
    });
  answer.on('finish', () => {
    isIgnored = true;
    if (!isCutOff) request.resume();
  });
  return {
    admit: async (admitted) => {
      try {
        admitted.take(early);
        limits = admitted;
        check();
      } catch (error) {
        fail(error);
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
  );
}
