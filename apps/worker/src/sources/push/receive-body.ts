import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { DomainError, timedOut } from '@plugin-config/domain';
import { deadline } from '@plugin-config/flow';
import {
  bodyIncomplete,
  HttpProblem,
  passGate,
  payloadTooLarge,
  readBody,
  type BodyLimits,
} from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Limits of the body, both compressed and uncompressed. */
interface Limits extends BodyLimits {
  /** Releases reserved memory. */
  readonly give: (bytes: number) => void;
}

const UNPACK_WITHIN_MS = 10_000;
const UNPACKED_BYTES = 64 * 1024;

/** Receives a body and decompresses it, which counts as `large` work at the gate. */
export async function receiveBody(
  request: FastifyRequest,
  reply: FastifyReply,
  limits: Limits,
): Promise<readonly Buffer[]> {
  const { 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding.toLowerCase() === 'identity') return readBody(request, limits);
  let packedBytes = 0;
  const take = (bytes: number): void => {
    limits.take(bytes);
    packedBytes += bytes;
  };
  const packed = await readBody(request, { ...limits, take });
  let body: readonly Buffer[] = [];
  await passGate(request, reply, 'large', async () => {
    body = await unpackWithin(packed, limits);
  });
  limits.give(packedBytes);
  return body;
}

/** Decompresses gzip block by block, in the thread pool. */
async function unpackWithin(
  packed: readonly Buffer[],
  { maxBytes, take }: Limits,
): Promise<readonly Buffer[]> {
  const limit = deadline(UNPACK_WITHIN_MS, () => performance.now());
  const blocks: Buffer[] = [];
  let bytes = 0;
  try {
    await pipeline(
      function* feed() {
        for (const block of packed) {
          if (limit.remainingMs() <= 0) throw timedOut();
          yield block;
        }
      },
      createGunzip({ chunkSize: UNPACKED_BYTES }),
      async (unpacked: AsyncIterable<Buffer>) => {
        for await (const block of unpacked) {
          bytes += block.length;
          if (bytes > maxBytes) throw payloadTooLarge(maxBytes);
          take(block.length);
          blocks.push(block);
        }
      },
    );
    return blocks;
  } catch (error) {
    throw error instanceof HttpProblem || error instanceof DomainError ? error : bodyIncomplete();
  }
}
