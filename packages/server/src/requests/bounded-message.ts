import { IncomingMessage } from './node-http.ts';

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
