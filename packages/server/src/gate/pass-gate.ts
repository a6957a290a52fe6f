import type { ServerResponse } from 'node:http';
import { TIMEOUT_MS } from '@plugin-config/domain';
import type { QueuedPermits, StopSignal } from '@plugin-config/flow';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountOf, deadlineOf } from '../access/access.ts';
import type { Work } from './gate.ts';
import { REQUEST_BYTES, takeMemory } from './memory.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The permits that the request has taken one of; null if it holds none. */
    permits: QueuedPermits | null;
  }
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/** Handles an admitted request while holding a permit for this kind of work. */
export async function passGate(
  request: FastifyRequest,
  reply: FastifyReply,
  work: Work,
  handle: Handle,
): Promise<void> {
  const { gate } = request.server;
  const account = accountOf(request);
  const permits = gate.permitsFor(work);
  if (!permits.take(account)) await waitForPermit(permits, request, reply);
  request.permits = permits;
  try {
    await handle(request, reply);
  } finally {
    leaveGate(request);
  }
}

async function waitForPermit(
  permits: QueuedPermits,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
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

/** Gives back the permit of a request early, because its response is sent at the pace of its reader. Idempotent. */
export function leaveGate(request: FastifyRequest): void {
  request.permits?.give(accountOf(request));
  request.permits = null;
}

/** Reads part of such a response while holding a permit for a page. */
export function readPart<T>({ request, raw }: FastifyReply, read: () => Promise<T>): Promise<T> {
  return withPermit(request, 'page', read, closed(raw));
}

/** Runs work that several requests share, with a permit for this one. None of them may already hold a permit of that kind. */
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

/** A signal that aborts when the connection is closed. */
function closed(response: ServerResponse): StopSignal {
  return {
    get aborted() {
      return response.destroyed;
    },
    addEventListener: (_type, listener) => void response.on('close', listener),
    removeEventListener: (_type, listener) => void response.off('close', listener),
  };
}
