/** A figure that takes asking somebody else. It is found out in the background; who reads it never waits. */
export interface Figure<T> {
  /** What was found out last; null where that failed, or is long ago. */
  latest(): T | null;
  /** Asks anew. Never rejects. */
  refresh(): Promise<void>;
}

/** After several times that it should have been found out anew. */
const STALE_MS = 15_000;

export function figure<T>(ask: () => Promise<T>): Figure<T> {
  let found: { readonly at: number; readonly value: T } | null = null;
  return {
    latest: () => (found !== null && performance.now() - found.at < STALE_MS ? found.value : null),
    refresh: async () => {
      found = await ask().then(
        (value) => ({ at: performance.now(), value }),
        () => null,
      );
    },
  };
}
