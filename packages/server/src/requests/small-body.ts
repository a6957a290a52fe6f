import type { IncomingMessage } from 'node:http';
import { payloadTooLarge } from '../errors/http-problem.ts';
import { bodyAborted, type ArrivingBody } from './arriving-body.ts';

const NOTHING = Buffer.alloc(0);

/**
 * Buffers a body whose `content-length` is a few KiB, as nearly all are. It mostly arrives in one piece; several pieces
 * are copied into one buffer of that length. Their number is not bounded: a piece of one byte costs the sender a packet.
 */
export function smallBody(request: IncomingMessage, length: number): ArrivingBody {
  let body: Buffer = NOTHING;
  let received = 0;
  request.on('data', (piece: Buffer) => {
    if (piece.length === length) body = piece;
    else {
      if (received === 0) body = Buffer.allocUnsafeSlow(length);
      piece.copy(body, received);
    }
    received += piece.length;
  });
  return {
    admit: async ({ maxBytes, take }) => {
      if (length > maxBytes) throw payloadTooLarge(maxBytes);
      take(length);
      if (!request.readableEnded && !request.destroyed) await endOf(request);
      if (received < length) throw bodyAborted();
      return [body];
    },
  };
}

function endOf(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => void request.on('end', resolve).on('close', resolve));
}
