import { itemsThatFit, type Page, type PageRequest } from '@plugin-config/domain';

export function pageOf<T>(
  all: readonly T[],
  { limit, offset }: PageRequest,
  bytesOf: (item: T) => number,
  maxBytes?: number,
): Page<T> {
  return { count: all.length, items: itemsThatFit(all.slice(offset, offset + limit), bytesOf, maxBytes) };
}
