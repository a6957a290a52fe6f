/** The range of a page among the matching entries, newest first. Times are in milliseconds since 1970. */
export interface PageRange {
  /** Exclusive. */
  readonly to: number;
  /** The time of the oldest entry that can be on the page. */
  readonly earliest: number;
  /** The number of matches between `to` and the page. */
  readonly skip: number;
  readonly limit: number;
}
