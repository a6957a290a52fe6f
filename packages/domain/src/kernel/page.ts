export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** The maximum size of the texts on a page, in bytes of UTF-8. */
export const PAGE_MAX_BYTES = 4 * 1024 * 1024;

/** Lists of all projects count only this many items. */
export const COUNTED_MAX = 10_000;

export interface Page<T> {
  /** The number of items on all pages. */
  readonly count: number;
  /**
   * At most `limit` items, or fewer if they reach the byte limit (`itemsThatFit`). The next page starts after
   * the last one.
   */
  readonly items: readonly T[];
}

/** Returns the first items that fit into `maxBytes`, but at least one. */
export function itemsThatFit<T>(
  items: readonly T[],
  bytesOf: (item: T) => number,
  maxBytes = PAGE_MAX_BYTES,
): readonly T[] {
  let bytes = 0;
  const end = items.findIndex((item, i) => (bytes += bytesOf(item)) > maxBytes && i > 0);
  return end === -1 ? items : items.slice(0, end);
}
