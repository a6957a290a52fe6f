import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

interface Limits {
  /** Reserves memory before it is used. Throws if none is left. */
  readonly take: (bytes: number) => void;
  /** Called before each compressed block. Throws if decompression takes too long. */
  readonly checkTime: () => void;
}

const UNPACKED_BYTES = 64 * 1024;

/** Decompresses gzip block by block, in the thread pool. */
export async function unpack(
  packed: readonly Buffer[],
  { take, checkTime }: Limits,
): Promise<readonly Buffer[]> {
  const blocks: Buffer[] = [];
  await pipeline(
    function* feed() {
      for (const block of packed) {
        checkTime();
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
