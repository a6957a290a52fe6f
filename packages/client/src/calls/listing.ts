import type { Page, PageQuery } from '../wire/page.ts';
import type { ReadOptions, RequestOptions } from './call.ts';

/** A list whose pages are read as its items are needed: `for await (const item of listing)`. */
export interface Listing<T, P extends Page<T> = Page<T>> extends AsyncIterable<T> {
  /** Reads the first page. */
  page(options?: ReadOptions<P>): Promise<P>;
  /** Reads page after page. */
  pages(): AsyncIterable<P>;
}

/** `read` answers one page of the list. */
export function listing<T, P extends Page<T>, Q extends PageQuery>(
  read: (query: Q, options: ReadOptions<P>) => Promise<P>,
  query: Q,
  options: RequestOptions,
): Listing<T, P> {
  async function* pages(): AsyncGenerator<P, void> {
    let page = await read(query, options);
    yield page;
    while (page.next !== null) {
      page = await read(queryOf(page.next) as Q, options);
      yield page;
    }
  }
  return {
    page: async (own = {}) => read(query, { ...options, ...own }),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { results } of pages()) yield* results;
    },
  };
}

/** Only the query of the address is taken, so that the key never goes to a host that an answer names. */
function queryOf(next: string): object {
  const { searchParams } = new URL(next);
  return Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]));
}
