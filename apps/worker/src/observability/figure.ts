/** A metric value that needs a query. It is refreshed in the background, so that readers never wait. */
export interface Figure<T> {
  /** The last value; null if the last refresh failed or is stale. */
  latest(): T | null;
  /** Queries the value again. Never rejects. */
  refresh(): Promise<void>;
}

/** Several refresh intervals. */
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
