import type { Line } from './line.ts';

/** Fewer bytes gain nothing by compression. */
const COMPRESSED_FROM = 1_024;

export interface PackedBody {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Joins lines to the body of a push, compressed where the platform can. */
export async function pack(lines: readonly Line[]): Promise<PackedBody> {
  const joined = new Blob([...lines]);
  const headers = { 'content-type': 'application/x-ndjson' };
  if (joined.size < COMPRESSED_FROM || !('CompressionStream' in globalThis)) {
    return { body: new Uint8Array(await joined.arrayBuffer()), headers };
  }
  const packed = new Response(joined.stream().pipeThrough(new CompressionStream('gzip')));
  return {
    body: new Uint8Array(await packed.arrayBuffer()),
    headers: { ...headers, 'content-encoding': 'gzip' },
  };
}
