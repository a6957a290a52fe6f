/** A metric value that needs a query. It is refreshed in the background, so readers never wait. */
export interface Figure<T> {
  /** The last value; null if the last refresh failed or is stale. */
  latest(): T | null;
  /** Queries the value again. Never rejects. */
  refresh(): Promise<void>;
}

/** Several refresh intervals. */
const STALE_MS = 15_000;

export function figure<T>(query: () => Promise<T>): Figure<T> {
  let latest: { readonly at: number; readonly value: T } | null = null;
  return {
    latest: () => (latest !== null && performance.now() - latest.at < STALE_MS ? latest.value : null),
    refresh: async () => {
      latest = await query().then(
        (value) => ({ at: performance.now(), value }),
        () => null,
      );
    },
  };
}
