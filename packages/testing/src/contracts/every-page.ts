import { PAGE_MAX_BYTES, type Page, type PageRequest } from '@plugin-config/domain';

/** A large text, and the number of such texts that fit on a page. */
export const LARGE = { text: 'x'.repeat(500_000), onPage: Math.floor(PAGE_MAX_BYTES / 500_000) };
/** A text that is larger than a page. */
export const OVERSIZED = 'x'.repeat(PAGE_MAX_BYTES + 1);

/** Reads all pages of a list. Each page begins at the end of the previous one. */
export async function everyPage<T>(
  read: (page: PageRequest) => Promise<Page<T>>,
): Promise<readonly (readonly T[])[]> {
  const pages: (readonly T[])[] = [];
  for (let offset = 0, count = 1; offset < count;) {
    const page = await read({ limit: 1000, offset });
    if (page.items.length === 0) throw new Error(`A page from ${offset} of ${page.count} on is empty.`);
    pages.push(page.items);
    offset += page.items.length;
    count = page.count;
  }
  return pages;
}
