import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { payloadTooLarge, undecodable } from './refusals.ts';

export const BODY_MAX_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

interface Receiving {
  /** Told of memory before it is used; throws where there is none. */
  readonly take: (bytes: number) => void;
}

/** A body, unpacked, as it arrived. Whoever still sends when it is refused may finish: the answer reaches them. */
export async function receiveBody(request: IncomingMessage, { take }: Receiving): Promise<readonly Buffer[]> {
  const { 'content-encoding': encoding, 'content-length': length } = request.headers;
  if (Number(length) > BODY_MAX_BYTES) throw payloadTooLarge();
  if (encoding === undefined || encoding === 'identity') return collect(request, take);
  const unpacking = createGunzip({ chunkSize: CHUNK_BYTES });
  request.on('error', (error) => unpacking.destroy(error)).pipe(unpacking);
  try {
    return await collect(unpacking, take);
  } finally {
    request.unpipe(unpacking).resume();
    unpacking.destroy();
  }
}

async function collect(stream: Readable, take: (bytes: number) => void): Promise<readonly Buffer[]> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunksOf(stream)) {
    bytes += chunk.length;
    if (bytes > BODY_MAX_BYTES) throw payloadTooLarge();
    take(chunk.length);
    chunks.push(chunk);
  }
  return chunks;
}

async function* chunksOf(stream: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
  } catch (error) {
    throw undecodable(error);
  }
}
