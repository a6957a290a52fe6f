import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

interface Limits {
  /** Is told of memory before it is used. Throws where there is none. */
  readonly take: (bytes: number) => void;
  /** Is asked before each packed block. Throws where it takes too long. */
  readonly goOn: () => void;
}

const UNPACKED_BYTES = 64 * 1024;

/** Unpacks what gzip has packed, block by block in the thread pool. */
export async function unpack(packed: readonly Buffer[], { take, goOn }: Limits): Promise<readonly Buffer[]> {
  const blocks: Buffer[] = [];
  await pipeline(
    function* feed() {
      for (const block of packed) {
        goOn();
        yield block;
      }
    },
    createGunzip({ chunkSize: UNPACKED_BYTES }),
    async (unpacked: AsyncIterable<Buffer>) => {
      for await (const block of unpacked) {
        take(block.length);
        blocks.push(block);
      }
    },
  );
  return blocks;
}
