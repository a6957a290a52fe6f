import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;
/** Beyond this number, the least recently used key is forgotten, which refills its bucket. */
const KEYS_MAX = 10_000;
/** Absorbs rounding errors in sums of intervals. */
const TOLERANCE_MS = 1e-3;

/** The rate limit of a key after a request. */
export interface RateState {
  /** The seconds until a request will be admitted; null if this one is. */
  readonly waitSeconds: number | null;
  readonly remaining: number;
  /** The seconds until the bucket of the key is full again. */
  readonly fullInSeconds: number;
}

/** The id of an API key, or a name for another kind of caller. */
type Key = number | string;

export interface RateLimiter {
  readonly perMinute: number;
  /** Counts a request unless the key is over its limit. `atMs` is the time of a monotonic clock. */
  count(key: Key, atMs: number): RateState;
  /** Undoes the count of a request. */
  refund(key: Key): void;
}

interface Limit {
  readonly perMinute: number;
  /** How many requests may come at once. Defaults to those of a minute. */
  readonly burst?: number;
}

/** A token bucket for each key. Stores only when the bucket will be full again. */
export function rateLimiter({ perMinute, burst = perMinute }: Limit): RateLimiter {
  const interval = MINUTE_MS / perMinute;
  const fullMs = burst * interval;
  const fullAt = new LRUCache<Key, number>({ max: KEYS_MAX });
  const stateAt = (full: number, atMs: number, waitSeconds: number | null): RateState => ({
    waitSeconds,
    remaining: Math.max(0, Math.floor((fullMs - (full - atMs) + TOLERANCE_MS) / interval)),
    fullInSeconds: Math.ceil((full - atMs - TOLERANCE_MS) / 1000),
  });
  return {
    perMinute,
    count: (key, atMs) => {
      const start = Math.max(atMs, fullAt.get(key) ?? atMs);
      const waitMs = start - atMs - (fullMs - interval);
      if (waitMs > TOLERANCE_MS) return stateAt(start, atMs, Math.ceil(waitMs / 1000));
      fullAt.set(key, start + interval);
      return stateAt(start + interval, atMs, null);
    },
    refund: (key) => {
      const full = fullAt.get(key);
      if (full !== undefined) fullAt.set(key, full - interval);
    },
  };
}
