import { DomainError } from '../kernel/domain-error.ts';
import type { Timer } from '../sharing/concurrency-limit.ts';
import type { Patience } from '../sharing/patience.ts';
import { requireSameBody, type IdempotencyKey, type Once } from './idempotency-key.ts';

/** Runs the work. If a request with the same key is running, waits for it and resolves to its outcome instead. */
export type OneAtATime<T> = (
  key: IdempotencyKey,
  patience: Patience,
  work: () => Promise<Once<T>>,
) => Promise<Once<T>>;

/**
 * Runs one request per key at a time in this process. If it fails, the next waiting one runs. A request whose patience ends
 * while it waits is refused with `idempotency_in_flight`.
 */
export function oneAtATime<T>(timer: Timer): OneAtATime<T> {
  const running = new Map<string, Promise<Once<T>>>();

  const runFirst = async (name: string, work: () => Promise<Once<T>>): Promise<Once<T>> => {
    const own = work();
    running.set(name, own);
    try {
      return await own;
    } finally {
      running.delete(name);
    }
  };

  return async (key, patience, work) => {
    const { name } = key;
    for (let first = running.get(name); first !== undefined; first = running.get(name)) {
      const outcome = await outcomeOf(first, patience, timer);
      if (outcome !== null) return requireSameBody(key, { ...outcome, isFirst: false });
    }
    return runFirst(name, work);
  };
}

/** Waits for the outcome of the first request; null if it fails. */
function outcomeOf<T>(first: Promise<Once<T>>, patience: Patience, timer: Timer): Promise<Once<T> | null> {
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
