import { DomainError } from '../kernel/domain-error.ts';
import type { Timer } from '../sharing/concurrency-limit.ts';
import type { Patience } from '../sharing/patience.ts';
import { sameRequest, type IdempotencyKey, type Once } from './idempotency-key.ts';

/** Runs the work unless the same request is under way: then waits for that one's outcome, which is its own. */
export type OneAtATime<T> = (
  key: IdempotencyKey,
  patience: Patience,
  work: () => Promise<Once<T>>,
) => Promise<Once<T>>;

/**
 * Keeps the requests of one process from doing the same work at the same time. Where the first one fails, one of those
 * that wait is the next. Whoever loses patience is refused with `idempotency_in_flight`.
 */
export function oneAtATime<T>(timer: Timer): OneAtATime<T> {
  const underWay = new Map<string, Promise<Once<T>>>();

  const lead = async (name: string, work: () => Promise<Once<T>>): Promise<Once<T>> => {
    const own = work();
    underWay.set(name, own);
    try {
      return await own;
    } finally {
      underWay.delete(name);
    }
  };

  return async (key, patience, work) => {
    const { name } = key;
    for (let first = underWay.get(name); first !== undefined; first = underWay.get(name)) {
      const outcome = await inTime(first, patience, timer);
      if (outcome !== null) return sameRequest(key, { ...outcome, isFirst: false });
    }
    return lead(name, work);
  };
}

/** Null where the first request fails. */
function inTime<T>(first: Promise<Once<T>>, patience: Patience, timer: Timer): Promise<Once<T> | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Once<T> | null>();
  const stop = timer(() => reject(inFlight()), Math.max(0, patience.left()));
  first.then(resolve, () => resolve(null)).finally(stop);
  return promise;
}

function inFlight(): DomainError {
  return new DomainError(
    'idempotency_in_flight',
    'The first request with this key is still running. Repeat the request later with the same key.',
    { retryAfterSeconds: 1 },
  );
}
