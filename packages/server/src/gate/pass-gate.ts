import type { ServerResponse } from 'node:http';
import { TIMEOUT_MS } from '@plugin-config/domain';
import type { QueuedPermits, StopSignal } from '@plugin-config/flow';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountOf, deadlineOf } from '../access/access.ts';
import type { Work } from './gate.ts';
import { REQUEST_BYTES, takeMemory } from './memory.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the permit of the request is one of; null while it has none. */
    permits: QueuedPermits | null;
  }
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/** Handles an admitted request once its account has a permit for work of this kind. */
export async function passGate(
  request: FastifyRequest,
  reply: FastifyReply,
  work: Work,
  handle: Handle,
): Promise<void> {
  const { gate } = request.server;
  const account = accountOf(request);
  const permits = gate.permitsFor(work);
  if (!permits.take(account)) await waitFor(permits, request, reply);
  request.permits = permits;
  try {
    await handle(request, reply);
  } finally {
    leaveGate(request);
  }
}

async function waitFor(permits: QueuedPermits, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const account = accountOf(request);
  const reservation = request.server.memory.reservation(account);
  takeMemory(reservation, REQUEST_BYTES);
  try {
    await permits.wait(account, {
      remainingMs: deadlineOf(request).remainingMs(),
      signal: closed(reply.raw),
    });
  } finally {
    reservation.release();
  }
}

/** Returns the permit of a request whose response is sent at the pace of its reader. Safe to repeat. */
export function leaveGate(request: FastifyRequest): void {
  request.permits?.give(accountOf(request));
  request.permits = null;
}

/** Reads a part of such a response once the account has a permit for a page. */
export function readPart<T>({ request, raw }: FastifyReply, read: () => Promise<T>): Promise<T> {
  return withPermit(request, 'page', read, closed(raw));
}

/**
 * Does what several requests may share once the account of one of them has a permit for this kind of work. None of them may have one of
 * that kind already.
 */
export async function withPermit<T>(
  request: FastifyRequest,
  work: Work,
  act: () => Promise<T>,
  signal?: StopSignal,
): Promise<T> {
  const account = accountOf(request);
  const { take, wait, give } = request.server.gate.permitsFor(work);
  if (!take(account)) await wait(account, { remainingMs: TIMEOUT_MS, ...(signal && { signal }) });
  try {
    return await act();
  } finally {
    give(account);
  }
}

/** Aborted when the connection is closed. */
function closed(response: ServerResponse): StopSignal {
  return {
    get aborted() {
      return response.destroyed;
    },
    addEventListener: (_type, listener) => void response.on('close', listener),
    removeEventListener: (_type, listener) => void response.off('close', listener),
  };
}
