import { DomainError, timedOut } from '@plugin-config/domain';
import { budget, queuedPermits, type Budget, type QueuedPermits } from '@plugin-config/flow';
import { nodeTimer } from '@plugin-config/flow/node';
import { rateLimiter } from '../access/rate-limiter.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly gate: Gate;
  }
}

/**
 * What a request costs others:
 *
 * - `request`: little. What it reads and writes shares statements with other requests.
 * - `page`: a statement of its own that reads many rows, but ends soon.
 * - `slow`: a connection to the database for up to seconds, as a search or a wait for locks.
 * - `large`: a lot of the processor's time, as a large body or a document.
 */
export const WORKS = ['request', 'page', 'slow', 'large'] as const;

export type Work = (typeof WORKS)[number];

/** What the accounts share of a process. Each gets its share, however many keys and projects it has. */
export interface Gate {
  /** Returns the permits for this kind of work. */
  permitsFor(work: Work): QueuedPermits;
  /**
   * Counts a change of keys, projects or plugins, which leaves an entry in the audit log.
   * @throws DomainError `throttled` if the account makes too many of them
   */
  countChange(account: number): void;
  readonly streams: Budget;
  /** Requests that wait for a change. */
  readonly waits: Budget;
}

interface Options {
  /** The most database connections. */
  readonly poolSize: number;
  /** The most streams. */
  readonly streams: number;
}

/** Far more than a batch has, but few enough that nobody waits long behind the requests of another account. */
const REQUESTS = { max: 500, reserve: 100 };
/** Each may take 30 ms of the event loop, so one account has two. */
const PAGES = { max: 4, reserve: 2 };
/** So one account has one. */
const LARGE = { max: 2, reserve: 2 };
const STREAMS_OF_ACCOUNT = 500;
const WAITS = { amount: 5000, share: 1000 };
const CHANGES_PER_MINUTE = 300;

export function openGate({ poolSize, streams }: Options): Gate {
  const common = { tooLate: timedOut, timer: nodeTimer };
  const half = Math.ceil(poolSize / 2);
  const all: Readonly<Record<Work, QueuedPermits>> = {
    request: queuedPermits({ ...common, ...REQUESTS }),
    page: queuedPermits({ ...common, ...PAGES }),
    slow: queuedPermits({ ...common, max: half, reserve: Math.floor(half / 2) }),
    large: queuedPermits({ ...common, ...LARGE }),
  };
  const changes = rateLimiter({ perMinute: CHANGES_PER_MINUTE });
  return {
    permitsFor: (work) => all[work],
    countChange: (account) => {
      const { waitSeconds } = changes.count(account, performance.now());
      if (waitSeconds !== null) throw tooManyChanges(waitSeconds);
    },
    streams: budget({ amount: streams, share: Math.min(STREAMS_OF_ACCOUNT, Math.floor(streams / 2)) }),
    waits: budget(WAITS),
  };
}

function tooManyChanges(retryAfterSeconds: number): DomainError {
  const message = `An account may make ${CHANGES_PER_MINUTE} changes of keys, projects and plugins a minute.`;
  return new DomainError('throttled', message, { retryAfterSeconds });
}
