import type { Page, PageRequest } from '@plugin-config/domain';

export function pageOf<T>(all: readonly T[], { limit, offset }: PageRequest): Page<T> {
  return { count: all.length, items: all.slice(offset, offset + limit) };
}
