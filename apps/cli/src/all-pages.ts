import type { Page, PageRequest } from '@plugin-config/domain';

const PAGE = 1000;

/** Reads a whole list, page by page. */
export async function allPages<T>(read: (page: PageRequest) => Promise<Page<T>>): Promise<readonly T[]> {
  const all: T[] = [];
  for (;;) {
    const { count, items } = await read({ limit: PAGE, offset: all.length });
    all.push(...items);
    if (items.length === 0 || all.length >= count) return all;
  }
}
