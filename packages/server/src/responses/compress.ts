import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from './accepted-encoding.ts';

/** A smaller response fits into one packet uncompressed. */
export const COMPRESSED_MIN_BYTES = 1024;

/** Leaves two of the four threads in libuv's pool for other work. */
const CONCURRENT_MAX = 2;
/** Shrinks records to a twentieth of their size at 3 ms per MiB. The next level takes twice as long to save another tenth. */
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

/** Compresses off the event loop. Returns null if that would have to wait: send the plain bytes instead. */
export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> | null {
  if (running >= CONCURRENT_MAX) return null;
  running++;
  return COMPRESS[encoding](body).finally(() => running--);
}
