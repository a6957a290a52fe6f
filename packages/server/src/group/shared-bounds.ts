import { rateLimiter, type RateLimiter, type RateState } from '../access/rate-limiter.ts';

/** What a key may use of all processes of the app on this machine together. */
export interface SharedBounds {
  /** Counts a request of the key, unless the key is over its limit. */
  countRequest(of: { readonly keyId: number; readonly perMinute: number }): RateState | Promise<RateState>;
  /** Takes one of the streams that the key may have open. Resolves to false if there is none left. */
  takeStream(of: { readonly keyId: number; readonly most: number }): boolean | Promise<boolean>;
  giveStream(keyId: number): void;
}

/** The bounds as one process uses them. */
export interface UsedBounds extends SharedBounds {
  /** Gives back what the process still has, since it has ended: it takes and gives no more. */
  giveAll(): void;
}

/** Keeps the bounds in memory. The returned function makes them available to one more process. */
export function sharedBounds(): () => UsedBounds {
  const streams = new Map<number, number>();
  let limiter: RateLimiter | undefined;
  return () => {
    const own = new Map<number, number>();
    let isOver = false;
    return {
      countRequest: ({ keyId, perMinute }) =>
        (limiter ??= rateLimiter({ perMinute })).count(keyId, performance.now()),
      takeStream: ({ keyId, most }) => {
        if (isOver || (streams.get(keyId) ?? 0) >= most) return false;
        for (const count of [streams, own]) add(count, keyId, 1);
        return true;
      },
      giveStream: (keyId) => {
        if (own.has(keyId)) for (const count of [streams, own]) add(count, keyId, -1);
      },
      giveAll: () => {
        isOver = true;
        for (const [keyId, count] of own) add(streams, keyId, -count);
        own.clear();
      },
    };
  };
}

function add(counts: Map<number, number>, keyId: number, more: number): void {
  const count = (counts.get(keyId) ?? 0) + more;
  if (count === 0) counts.delete(keyId);
  else counts.set(keyId, count);
}
