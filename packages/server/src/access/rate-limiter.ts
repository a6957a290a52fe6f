import { DomainError } from '@plugin-config/domain';

const MINUTE_MS = 60_000;
/** Beyond this number, the least recently used key is forgotten, and its bucket is full again. */
const KEYS_MAX = 10_000;
/** Absorbs rounding errors of summed intervals. */
const TOLERANCE_MS = 1e-3;

/** Counts a request of the key, or throws if the key is over its limit. `atMs` comes from a monotonic clock. */
export type RateLimiter = (keyId: number, atMs: number) => void;

export const unlimited: RateLimiter = () => undefined;

/**
 * A token bucket for each key: it holds a minute's requests and fills evenly. Only the moment at which it is full again
 * is stored.
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
    if (fullAt.size > KEYS_MAX) forgetFirst(fullAt);
  };
}

function forgetFirst(fullAt: Map<number, number>): void {
  for (const keyId of fullAt.keys()) return void fullAt.delete(keyId);
}

function throttled(retryAfterSeconds: number): DomainError {
  const detail = `Request was throttled. Expected available in ${retryAfterSeconds} seconds.`;
  return new DomainError('throttled', detail, { retryAfterSeconds });
}
