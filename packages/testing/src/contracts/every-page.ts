import { PAGE_MAX_BYTES, type Page, type PageRequest } from '@plugin-config/domain';

/** So many texts of this length fill a page, and one more does not fit. */
export const LARGE = { text: 'x'.repeat(500_000), onPage: Math.floor(PAGE_MAX_BYTES / 500_000) };
/** A text that takes more than a page by itself. */
export const OVERSIZED = 'x'.repeat(PAGE_MAX_BYTES + 1);

/** The pages of a list, each of which begins where the one before it ended. */
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
