import type { IncomingMessage } from 'node:http';
import { DomainError, patience, ranOutOfPatience } from '@plugin-config/domain';
import { HttpProblem, invalidRequest, payloadTooLarge } from '@plugin-config/service';
import { bodyBlocks } from './body-blocks.ts';
import { unpack } from './unpack.ts';

interface Limits {
  /** Of the body, packed and unpacked. */
  readonly mostBytes: number;
  /** Is told of memory before it is used. Throws where there is none. */
  readonly take: (bytes: number) => void;
  /** Is told of memory that is free again. */
  readonly give: (bytes: number) => void;
}

const UNPACK_WITHIN_MS = 10_000;

/** The whole body, unpacked. A sender that is refused may go on sending, and gets its answer. */
export async function receiveBody(request: IncomingMessage, limits: Limits): Promise<readonly Buffer[]> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = request.headers;
  if (Number(length) > limits.mostBytes) throw payloadTooLarge(limits.mostBytes);
  if (encoding.toLowerCase() === 'identity') return collect(request, limits);
  let packedBytes = 0;
  const take = (bytes: number): void => {
    limits.take(bytes);
    packedBytes += bytes;
  };
  const packed = await collect(request, { ...limits, take });
  const body = await unpackWithin(packed, limits);
  limits.give(packedBytes);
  return body;
}

function collect(request: IncomingMessage, { mostBytes, take }: Limits): Promise<readonly Buffer[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Buffer[]>();
  const blocks = bodyBlocks(take);
  const add = (piece: Buffer): void => {
    try {
      if (blocks.bytes + piece.length > mostBytes) throw payloadTooLarge(mostBytes);
      blocks.add(piece);
    } catch (error) {
      request.off('data', add);
      reject(error);
    }
  };
  const breakOff = (): void => reject(brokenOff());
  request
    .on('data', add)
    .once('end', () => resolve(blocks.end()))
    .once('error', breakOff)
    .once('close', breakOff);
  return promise;
}

async function unpackWithin(
  packed: readonly Buffer[],
  { mostBytes, take }: Limits,
): Promise<readonly Buffer[]> {
  const wait = patience(UNPACK_WITHIN_MS, () => performance.now());
  let bytes = 0;
  try {
    return await unpack(packed, {
      take: (more) => {
        bytes += more;
        if (bytes > mostBytes) throw payloadTooLarge(mostBytes);
        take(more);
      },
      goOn: () => {
        if (wait.left() <= 0) throw ranOutOfPatience();
      },
    });
  } catch (error) {
    throw error instanceof HttpProblem || error instanceof DomainError ? error : brokenOff();
  }
}

function brokenOff(): HttpProblem {
  return invalidRequest(400, 'parse_error', 'The body did not arrive whole, or is not what its headers say.');
}
