export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** The limit of the texts on a page, in bytes of UTF-8. */
export const PAGE_MAX_BYTES = 4 * 1024 * 1024;

export interface Page<T> {
  /** The number of items on all pages together. */
  readonly count: number;
  /**
   * At most `limit` items; fewer if they reach the byte limit (`itemsThatFit`). The next page begins after the last of
   * them.
   */
  readonly items: readonly T[];
}

/** The first items, up to a number of bytes; at least one. */
export function itemsThatFit<T>(
  items: readonly T[],
  bytesOf: (item: T) => number,
  maxBytes = PAGE_MAX_BYTES,
): readonly T[] {
  let bytes = 0;
  const end = items.findIndex((item, i) => (bytes += bytesOf(item)) > maxBytes && i > 0);
  return end === -1 ? items : items.slice(0, end);
}
