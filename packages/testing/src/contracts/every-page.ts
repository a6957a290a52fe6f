import { PAGE_MAX_BYTES, type Page, type PageRequest } from '@plugin-config/domain';

/** A large text, and how many such texts fit on a page. */
export const LARGE = { text: 'x'.repeat(500_000), onPage: Math.floor(PAGE_MAX_BYTES / 500_000) };
/** A text larger than a page. */
export const OVERSIZED = 'x'.repeat(PAGE_MAX_BYTES + 1);

/** Reads all pages of a list. Each page starts at the end of the previous one. */
export async function everyPage<T>(
  read: (page: PageRequest) => Promise<Page<T>>,
): Promise<readonly (readonly T[])[]> {
  const pages: (readonly T[])[] = [];
  for (let offset = 0, count = 1; offset < count;) {
    const page = await read({ limit: 1000, offset });
    if (page.items.length === 0) throw new Error(`The page at offset ${offset} of ${page.count} is empty.`);
    pages.push(page.items);
    offset += page.items.length;
    count = page.count;
  }
  return pages;
}
