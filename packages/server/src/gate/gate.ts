import { setImmediate as nextTurn } from 'node:timers/promises';
import { DomainError, timedOut, TIMEOUT_MS } from '@plugin-config/domain';
import { budget, queuedPermits, type Budget, type QueuedPermits, type StopSignal } from '@plugin-config/flow';
import { nodeTimer } from '@plugin-config/flow/node';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountOf, deadlineOf } from '../access/access.ts';
import { hangUpSignal } from '../requests/hang-up.ts';
import { rateLimiter } from '../access/rate-limiter.ts';
import { MEMORY, REQUEST_BYTES, takeMemory } from './memory.ts';

/** The kinds of work, by what they cost other requests. `EndpointWork` describes them. */
export const KINDS_OF_WORK = ['request', 'page', 'slow', 'large', 'body'] as const;

export type Work = (typeof KINDS_OF_WORK)[number];

/** The resources of a process that accounts share. Limits apply per account, regardless of its number of keys and projects. */
export interface Gate {
  permitsFor(work: Work): QueuedPermits;
  /**
   * Counts an administrative change, most of which add an entry to the audit log.
   * @throws DomainError `throttled` if the account makes too many changes
   */
  countChange(account: number): void;
  /** The memory for requests and for responses that callers have not read yet. */
  readonly memory: Budget;
  readonly streams: Budget;
  /** Requests that wait for a new version. */
  readonly waits: Budget;
}

interface Options {
  /** The maximum number of database connections. */
  readonly poolSize: number;
  /** The maximum number of streams. */
  readonly streams: number;
  /** The maximum number of administrative changes of an account. */
  readonly changesPerMinute?: number | undefined;
  /** The bytes of memory for all accounts, and for one of them. Defaults to `MEMORY`. */
  readonly memory?: { readonly amount: number; readonly share: number };
}

/** Far more than a batch holds, but few enough to keep waits behind other accounts short. */
const REQUESTS = { max: 500, reserve: 100 };
/** Each page can block the event loop for 30 ms, so an account gets two at a time. */
const PAGES = { max: 4, reserve: 2 };
const LARGE = { max: 2, each: 1 };
/** Large bodies that are parsed or, soon after, let others pass. */
const BODIES = { max: REQUESTS.max, each: 1 };
const STREAMS_OF_ACCOUNT = 500;
const WAITS = { amount: 20_000, share: 1000 };
const CHANGES_PER_MINUTE = 300;

export function openGate({
  poolSize,
  streams,
  changesPerMinute = CHANGES_PER_MINUTE,
  memory = MEMORY,
}: Options): Gate {
  const common = { tooLate: timedOut, timer: nodeTimer };
  const half = Math.ceil(poolSize / 2);
  const permits: Readonly<Record<Work, QueuedPermits>> = {
    request: queuedPermits({ ...common, ...REQUESTS }),
    page: queuedPermits({ ...common, ...PAGES }),
    slow: queuedPermits({ ...common, max: half, reserve: Math.floor(half / 2) }),
    large: queuedPermits({ ...common, ...LARGE }),
    body: queuedPermits({ ...common, ...BODIES }),
  };
  const changes = rateLimiter({ perMinute: changesPerMinute });
  return {
    permitsFor: (work) => permits[work],
    countChange: (account) => {
      const { waitSeconds } = changes.count(account, performance.now());
      if (waitSeconds !== null) throw tooManyChanges(changesPerMinute, waitSeconds);
    },
    memory: budget(memory),
    streams: budget({ amount: streams, share: Math.min(STREAMS_OF_ACCOUNT, Math.floor(streams / 2)) }),
    waits: budget(WAITS),
  };
}

function tooManyChanges(perMinute: number, retryAfterSeconds: number): DomainError {
  const what = 'keys, projects, plugins, alerts and webhooks';
  const message = `An account can make at most ${perMinute} changes to ${what} per minute.`;
  return new DomainError('throttled', message, { retryAfterSeconds });
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
  if (!permits.take(account)) {
    const reservation = request.server.gate.memory.reservation(account);
    takeMemory(reservation, REQUEST_BYTES);
    const limit = { remainingMs: deadlineOf(request).remainingMs(), signal: hangUpSignal(reply.raw) };
    await permits.wait(account, limit).finally(() => reservation.release());
  }
  request.permits = permits;
  try {
    await handle(request, reply);
  } finally {
    leaveGate(request);
  }
}

/** Returns the permit of a request early if its response is sent at the pace of the reader. Later calls do nothing. */
export function leaveGate(request: FastifyRequest): void {
  request.permits?.give(accountOf(request));
  request.permits = null;
}

/** Reads part of such a response while holding a permit for a page. */
export function readPart<T>({ request, raw }: FastifyReply, read: () => Promise<T>): Promise<T> {
  return withPermit(request, 'page', read, hangUpSignal(raw));
}

/** Runs work that several requests share, under a permit for this one. None of them may already hold a permit of that kind. */
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

/**
 * Parses a large body. The account's next large body then waits for as long as this one took: other requests, which need several
 * turns of the event loop, get past.
 */
export async function parseInTurn<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  parse: () => T,
): Promise<T> {
  const account = accountOf(request);
  const { take, wait, give } = request.server.gate.permitsFor('body');
  const signal = hangUpSignal(reply.raw);
  if (!take(account)) await wait(account, { remainingMs: deadlineOf(request).remainingMs(), signal });
  const start = performance.now();
  try {
    const body = parse();
    // The checks of its content run in a turn of their own. The first pause may end in this one.
    await nextTurn();
    await nextTurn();
    return body;
  } finally {
    setTimeout(give, performance.now() - start, account);
  }
}
