import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { invalidRequest, payloadTooLarge } from '@plugin-config/service';

interface Limits {
  /** Of the body, packed or not. */
  readonly mostBytes: number;
  /** Told of memory before it is used; throws where there is none. */
  readonly take: (bytes: number) => void;
}

const UNPACKED_BYTES = 64 * 1024;

/** A body as it arrived, unpacked. Who is refused and still sends may finish, and hears of it. */
export async function receiveBody(request: IncomingMessage, limits: Limits): Promise<readonly Buffer[]> {
  const { 'content-encoding': encoding, 'content-length': length } = request.headers;
  if (Number(length) > limits.mostBytes) throw payloadTooLarge(limits.mostBytes);
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return unpack(request, limits);
  if (length === undefined) return collect(request, limits);
  limits.take(Number(length));
  return collect(request, { ...limits, take: () => undefined });
}

async function unpack(request: IncomingMessage, limits: Limits): Promise<readonly Buffer[]> {
  const gunzip = createGunzip({ chunkSize: UNPACKED_BYTES });
  const fail = (error: Error): void => void gunzip.destroy(error);
  request.once('error', fail).pipe(gunzip);
  try {
    return await collect(gunzip, limits);
  } finally {
    request.off('error', fail).unpipe(gunzip).resume();
    gunzip.destroy();
  }
}

async function collect(stream: Readable, { mostBytes, take }: Limits): Promise<readonly Buffer[]> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of arriving(stream)) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw payloadTooLarge(mostBytes);
    take(chunk.length);
    chunks.push(chunk);
  }
  return chunks;
}

async function* arriving(stream: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
  } catch {
    throw invalidRequest(
      400,
      'parse_error',
      'The body did not arrive whole, or is not what its headers say.',
    );
  }
}
