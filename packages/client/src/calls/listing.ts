import type { Page } from '../wire.ts';
import type { Call, ReadOptions, RequestOptions } from './call.ts';
import type { Operation } from './operations.ts';
import type { RequestParts } from './request.ts';

/** A list whose pages are fetched as needed: `for await (const item of listing)`. */
export interface Listing<T, P extends Page<T> = Page<T>> extends AsyncIterable<T> {
  /** Fetches the first page. */
  page(options?: ReadOptions<P>): Promise<P>;
  /** Iterates over all pages. */
  pages(): AsyncIterable<P>;
}

/** Returns a listing for a paginated endpoint. @internal */
export function listing<T, P extends Page<T>>(
  call: Call,
  operation: Operation,
  { params, query = {} }: RequestParts,
  options: RequestOptions = {},
): Listing<T, P> {
  const fetchPage = async (from: object, pageOptions: ReadOptions<P>): Promise<P> =>
    (await call(operation, { params, query: { ...from } }, pageOptions)) as P;
  async function* pages(): AsyncGenerator<P, void> {
    let page = await fetchPage(query, options);
    yield page;
    while (page.next !== null) {
      page = await fetchPage(queryOf(page.next), options);
      yield page;
    }
  }
  return {
    page: async (pageOptions = {}) => fetchPage(query, { ...options, ...pageOptions }),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { results } of pages()) yield* results;
    },
  };
}

/** Uses only the query of the link, so the key is never sent to a host named in a response. */
function queryOf(next: string): object {
  const { searchParams } = new URL(next);
  return Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]));
}
