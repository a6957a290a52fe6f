/** Where a page is in the entries that match, newest first. */
export interface PageRange {
  /** The end of the time, not included, in milliseconds since 1970. */
  readonly to: number;
  /** The time of the oldest entry that the page may have. */
  readonly earliest: number;
  /** The matches between the end of the time and the page. */
  readonly skip: number;
  readonly limit: number;
}
