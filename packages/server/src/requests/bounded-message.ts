import { IncomingMessage } from './node-http.ts';

/** The first `SMALL_PIECES` of a body may be of any size. After that, pieces must have `PIECE_BYTES` on average. */
const SMALL_PIECES = 1000;
const PIECE_BYTES = 32;

/**
 * A request whose connection is closed if its body arrives in thousands of tiny pieces: each takes the time of a full one,
 * and a KiB of memory until it is read.
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
