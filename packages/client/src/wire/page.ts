/** One page of a list. A listing follows `next` by itself. */
export interface Page<T> {
  /** Total number of results on all pages. */
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly T[];
}

export interface PageQuery {
  /** Number of results per page: 1 to 1000, 100 by default. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}
