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
 * The kinds of work, by what they cost other requests:
 *
 * - `request`: little, because it shares statements with other requests.
 * - `page`: a short statement that reads many rows.
 * - `slow`: a database connection for up to seconds, for example for a search or to wait for locks.
 * - `large`: a lot of CPU time, for example for a large body or a document.
 */
export const KINDS_OF_WORK = ['request', 'page', 'slow', 'large'] as const;

export type Work = (typeof KINDS_OF_WORK)[number];

/** The resources of a process that accounts share. Limits apply per account, regardless of its number of keys and projects. */
export interface Gate {
  permitsFor(work: Work): QueuedPermits;
  /**
   * Counts a change to keys, projects or plugins, which adds an entry to the audit log.
   * @throws DomainError `throttled` if the account makes too many changes
   */
  countChange(account: number): void;
  readonly streams: Budget;
  /** Requests that wait for a new version. */
  readonly waits: Budget;
}

interface Options {
  /** The maximum number of database connections. */
  readonly poolSize: number;
  /** The maximum number of streams. */
  readonly streams: number;
}

/** Far more than a batch holds, but few enough to keep waits behind other accounts short. */
const REQUESTS = { max: 500, reserve: 100 };
/** Each page can block the event loop for 30 ms, so an account gets two at a time. */
const PAGES = { max: 4, reserve: 2 };
/** An account gets one at a time. */
const LARGE = { max: 2, reserve: 2 };
const STREAMS_OF_ACCOUNT = 500;
const WAITS = { amount: 5000, share: 1000 };
const CHANGES_PER_MINUTE = 300;

export function openGate({ poolSize, streams }: Options): Gate {
  const common = { tooLate: timedOut, timer: nodeTimer };
  const half = Math.ceil(poolSize / 2);
  const permits: Readonly<Record<Work, QueuedPermits>> = {
    request: queuedPermits({ ...common, ...REQUESTS }),
    page: queuedPermits({ ...common, ...PAGES }),
    slow: queuedPermits({ ...common, max: half, reserve: Math.floor(half / 2) }),
    large: queuedPermits({ ...common, ...LARGE }),
  };
  const changes = rateLimiter({ perMinute: CHANGES_PER_MINUTE });
  return {
    permitsFor: (work) => permits[work],
    countChange: (account) => {
      const { waitSeconds } = changes.count(account, performance.now());
      if (waitSeconds !== null) throw tooManyChanges(waitSeconds);
    },
    streams: budget({ amount: streams, share: Math.min(STREAMS_OF_ACCOUNT, Math.floor(streams / 2)) }),
    waits: budget(WAITS),
  };
}

function tooManyChanges(retryAfterSeconds: number): DomainError {
  const message = `An account can make at most ${CHANGES_PER_MINUTE} changes to keys, projects and plugins per minute.`;
  return new DomainError('throttled', message, { retryAfterSeconds });
}
