import { DomainError } from '@plugin-config/domain';

const MINUTE_MS = 60_000;
/** The least recently used key is forgotten first: at worst it gets a minute's requests anew. */
const REMEMBERED_MAX = 10_000;
/** Sums of intervals are not exact. */
const TOLERANCE_MS = 1e-3;

/** Counts a request of the key, or throws where it has had its share. `atMs` is a monotonic clock's. */
export type RateLimiter = (keyId: number, atMs: number) => void;

export const unlimited: RateLimiter = () => undefined;

/**
 * A bucket a key: it holds a minute's requests and fills evenly. One number tells all of it, the moment at which it
 * is full again.
 */
export function rateLimiter({ perMinute }: { readonly perMinute: number }): RateLimiter {
  const interval = MINUTE_MS / perMinute;
  const fullAt = new Map<number, number>();
  return (keyId, atMs) => {
    const start = Math.max(atMs, fullAt.get(keyId) ?? atMs);
    const waitMs = start - atMs - (MINUTE_MS - interval);
    if (waitMs > TOLERANCE_MS) throw throttled(Math.ceil(waitMs / 1000));
    fullAt.delete(keyId);
    fullAt.set(keyId, start + interval);
    if (fullAt.size > REMEMBERED_MAX) forgetFirst(fullAt);
  };
}

function forgetFirst(fullAt: Map<number, number>): void {
  for (const keyId of fullAt.keys()) return void fullAt.delete(keyId);
}

function throttled(retryAfterSeconds: number): DomainError {
  const detail = `Request was throttled. Expected available in ${retryAfterSeconds} seconds.`;
  return new DomainError('throttled', detail, { retryAfterSeconds });
}
