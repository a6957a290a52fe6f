export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** The most bytes (UTF-8) that the texts on a page take together. */
export const PAGE_MAX_BYTES = 4 * 1024 * 1024;

export interface Page<T> {
  /** How many there are in all, on every page together. */
  readonly count: number;
  /** As many as were asked for, or fewer: `itemsThatFit` says how many. The next page begins after the last of them. */
  readonly items: readonly T[];
}

/** The first of the items, up to a number of bytes; one in any case. */
export function itemsThatFit<T>(
  items: readonly T[],
  bytesOf: (item: T) => number,
  maxBytes = PAGE_MAX_BYTES,
): readonly T[] {
  let bytes = 0;
  const end = items.findIndex((item, i) => (bytes += bytesOf(item)) > maxBytes && i > 0);
  return end === -1 ? items : items.slice(0, end);
}
