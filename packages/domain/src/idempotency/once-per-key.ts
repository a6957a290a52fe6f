import { oneAtATime, type Deadline, type Timer } from '@plugin-config/flow';
import { DomainError } from '../kernel/domain-error.ts';
import { requireSameBody, type IdempotencyKey, type Once } from './idempotency-key.ts';

/** Runs the work or, if a request with the same key is running, waits for it and returns its result. */
export type OncePerKey<T> = (
  key: IdempotencyKey,
  deadline: Deadline,
  work: () => Promise<Once<T>>,
) => Promise<Once<T>>;

/**
 * Runs one request per key at a time in this process. If it fails, the next waiting one runs. A request whose
 * deadline passes while it waits is rejected with `idempotency_in_flight`.
 */
export function oncePerKey<T>(timer: Timer): OncePerKey<T> {
  const once = oneAtATime<Once<T>>({ timer, rejection: inFlight });
  return async (key, deadline, work) => {
    const { result, isOwn } = await once(key.name, deadline, work);
    return isOwn ? result : { ...requireSameBody(key, result), isFirst: false };
  };
}

function inFlight(): DomainError {
  return new DomainError(
    'idempotency_in_flight',
    'The first request with this key is still running. Repeat the request later with the same key.',
    { retryAfterSeconds: 1 },
  );
}
