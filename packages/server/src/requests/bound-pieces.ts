import type { IncomingMessage, ServerResponse } from 'node:http';
import { turns } from '@plugin-config/flow/node';
import { invalidRequest, type HttpProblem } from '../errors/http-problem.ts';
import { dropPieces } from './drop-pieces.ts';
import { stopReading } from './stop-reading.ts';

/** The first `SMALL_PIECES` pieces may be of any size; further ones must have `PIECE_BYTES` on average. */
const SMALL_PIECES = 1000;
const PIECE_BYTES = 32;
/** How many bodies in small pieces are read, 64 KiB of each at most, before other connections have their turn. */
const READS_PER_TURN = 4;

const nextTurn = turns(READS_PER_TURN);

/**
 * Bounds the pieces of a chunked body. One in many small pieces is read in turns, since Node would read up to 2 MiB of it
 * at once; if the pieces cost more than they carry, it is cut off at any time, even after the answer.
 * @param refuse is called once the body is cut off
 */
export function boundPieces(
  request: IncomingMessage,
  answer: ServerResponse,
  refuse: (problem: HttpProblem) => void,
): void {
  let pieces = 0;
  let bytes = 0;
  let isCutOff = false;
  const cutOff = (): void => {
    isCutOff = true;
    dropPieces(request);
    stopReading(request.socket);
    if (answer.headersSent) request.socket.destroy();
    else answer.setHeader('connection', 'close');
    refuse(tooSmallPieces());
  };
  const waitForTurn = (): void => {
    const goOn = stopReading(request.socket);
    setImmediate(() => void nextTurn().then(() => isCutOff || goOn()));
  };
  request.on('data', ({ length }: Buffer) => {
    bytes += length;
    if (++pieces > SMALL_PIECES + bytes / PIECE_BYTES) cutOff();
    else if (pieces % SMALL_PIECES === 0) waitForTurn();
  });
}

function tooSmallPieces(): HttpProblem {
  return invalidRequest(
    400,
    'parse_error',
    'The body arrives in too many small pieces: send a line or more in each chunk.',
  );
}
