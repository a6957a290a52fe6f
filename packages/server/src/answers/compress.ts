import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from './accepted-encoding.ts';

/** A smaller answer fits into one packet as it is. */
export const COMPRESSED_MIN_BYTES = 1024;

/** Compression takes two of the four threads of the pool, so that other work finds a free one. */
const AT_ONCE = 2;
/** Shrinks records to a twentieth, in 3 ms per MiB. The next level would take twice the time to save a tenth more. */
const BROTLI_QUALITY = 4;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const COMPRESS: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) =>
    brotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body) => zip(body),
};

let running = 0;

/**
 * Compresses off the event loop. Null if two others are being compressed: the caller then gets the plain bytes at once.
 */
export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> | null {
  if (running >= AT_ONCE) return null;
  running++;
  return COMPRESS[encoding](body).finally(() => running--);
}
