/** A page of a list. A listing follows `next` automatically. */
export interface Page<T> {
  /** The total number of results, on all pages. */
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly T[];
}

export interface PageQuery {
  /** The maximum number of results on the page, 1 to 1000. Defaults to 100. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}
