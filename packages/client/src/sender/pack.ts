import type { Line } from './line.ts';
import { bytesOf } from './line-queue.ts';

/** Fewer bytes gain nothing by compression. */
const COMPRESSED_FROM = 1_024;

interface PackedBody {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Joins lines to the body of a push, compressed where the platform can. */
export async function pack(lines: readonly Line[]): Promise<PackedBody> {
  const joined = join(lines);
  const headers = { 'content-type': 'application/x-ndjson' };
  if (joined.byteLength < COMPRESSED_FROM || !('CompressionStream' in globalThis)) {
    return { body: joined, headers };
  }
  const packed = new Response(new Blob([joined]).stream().pipeThrough(new CompressionStream('gzip')));
  return {
    body: new Uint8Array(await packed.arrayBuffer()),
    headers: { ...headers, 'content-encoding': 'gzip' },
  };
}

function join(lines: readonly Line[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(bytesOf(lines));
  let offset = 0;
  for (const line of lines) {
    joined.set(line, offset);
    offset += line.byteLength;
  }
  return joined;
}
