import type { IncomingMessage } from 'node:http';
import { payloadTooLarge } from '../errors/http-problem.ts';
import { brokenOff, type ArrivingBody } from './arriving-body.ts';

const NOTHING = Buffer.alloc(0);

/**
 * Receives a body that announces a few KiB, as nearly all do: mostly it is one piece. Where it is more, its pieces are
 * copied into as much as was announced, and keep nothing else. A piece of a byte costs its sender a packet, as a piece
 * of a header does, so that their number is not bounded.
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
    admit: async ({ mostBytes, take }) => {
      if (length > mostBytes) throw payloadTooLarge(mostBytes);
      take(length);
      if (!request.readableEnded && !request.destroyed) await endOf(request);
      if (received < length) throw brokenOff();
      return [body];
    },
  };
}

function endOf(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => void request.on('end', resolve).on('close', resolve));
}
