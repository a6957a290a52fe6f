import type { IncomingHttpHeaders } from 'node:http';
import { DomainError, ranOutOfPatience } from '@plugin-config/domain';
import { patience } from '@plugin-config/flow';
import {
  bodyAborted,
  HttpProblem,
  payloadTooLarge,
  type ArrivingBody,
  type BodyLimits,
} from '@plugin-config/server';
import { unpack } from './unpack.ts';

interface Sent {
  readonly headers: IncomingHttpHeaders;
  readonly arriving: ArrivingBody;
}

/** The limits of the body, packed and unpacked. */
interface Limits extends BodyLimits {
  /** Returns reserved memory. */
  readonly give: (bytes: number) => void;
}

const UNPACK_WITHIN_MS = 10_000;

/** Receives and unpacks a body. A refused sender gets its answer even if it is still sending. */
export async function receiveBody({ headers, arriving }: Sent, limits: Limits): Promise<readonly Buffer[]> {
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (encoding.toLowerCase() === 'identity') return arriving.admit(limits);
  let packedBytes = 0;
  const take = (bytes: number): void => {
    limits.take(bytes);
    packedBytes += bytes;
  };
  const packed = await arriving.admit({ ...limits, take });
  const body = await unpackWithin(packed, limits);
  limits.give(packedBytes);
  return body;
}

async function unpackWithin(
  packed: readonly Buffer[],
  { maxBytes, take }: Limits,
): Promise<readonly Buffer[]> {
  const wait = patience(UNPACK_WITHIN_MS, () => performance.now());
  let bytes = 0;
  try {
    return await unpack(packed, {
      take: (more) => {
        bytes += more;
        if (bytes > maxBytes) throw payloadTooLarge(maxBytes);
        take(more);
      },
      checkTime: () => {
        if (wait.left() <= 0) throw ranOutOfPatience();
      },
    });
  } catch (error) {
    throw error instanceof HttpProblem || error instanceof DomainError ? error : bodyAborted();
  }
}
