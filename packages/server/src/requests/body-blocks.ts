/** Buffers a body that arrives in pieces of any size. */
export interface BodyBlocks {
  add(piece: Buffer): void;
  /** Returns the body in blocks that are filled completely. */
  end(): readonly Buffer[];
}

const EMPTY = Buffer.alloc(0);
const SMALLEST_BLOCK = 1024;
const LARGEST_BLOCK = 64 * 1024;
/** A piece of this size or more becomes a separate block. */
const LARGE_PIECE = 16 * 1024;

/**
 * Copies small pieces into one growing block: a buffer for each would cost a hundred times the piece.
 * @param take reserves memory before it is used, and throws if there is none left
 * @param length the length of the body, if it is known: no more memory is used
 */
export function bodyBlocks(take: (bytes: number) => void, length = Infinity): BodyBlocks {
  const blocks: Buffer[] = [];
  let block = EMPTY;
  let used = 0;
  /** The bytes of the body that are not in `blocks`. */
  let left = length;

  const push = (filled: Buffer): void => {
    left -= filled.length;
    blocks.push(filled);
  };
  const close = (): void => {
    if (used > 0) push(block.subarray(0, used));
    block = EMPTY;
    used = 0;
  };
  const grow = (needed: number): void => {
    const size = Math.min(LARGEST_BLOCK, left, Math.max(SMALLEST_BLOCK, 2 * block.length, needed));
    take(size - block.length);
    const larger = Buffer.allocUnsafeSlow(size);
    block.copy(larger, 0, 0, used);
    block = larger;
  };

  return {
    add(piece) {
      if (piece.length >= LARGE_PIECE) {
        take(piece.length);
        close();
        push(piece);
        return;
      }
      if (used + piece.length > LARGEST_BLOCK) close();
      if (used + piece.length > block.length) grow(used + piece.length);
      used += piece.copy(block, used);
    },
    end() {
      close();
      return blocks;
    },
  };
}
