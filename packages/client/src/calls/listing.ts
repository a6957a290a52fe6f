import type { Page } from '../wire.ts';
import type { Call, ReadOptions, RequestOptions } from './call.ts';
import type { RequestParts } from './request.ts';
import type { CallInput, CallOutput, Route } from './routes.ts';

/** A list whose pages are fetched as needed: `for await (const item of listing)`. */
export interface Listing<T, P extends Page<T> = Page<T>> extends AsyncIterable<T> {
  /** Fetches the first page. */
  page(options?: ReadOptions<P>): Promise<P>;
  /** Iterates over all pages. */
  pages(): AsyncIterable<P>;
}

type ListRoute = { [R in Route]: CallOutput<R> extends Page<unknown> ? R : never }[Route];
type ItemOf<R extends ListRoute> = CallOutput<R> extends Page<infer Item> ? Item : never;
type PageOf<R extends ListRoute> = CallOutput<R> & Page<ItemOf<R>>;

/** Returns a listing for a paginated endpoint. @internal */
export function listing<R extends ListRoute>(
  call: Call,
  route: R,
  input: CallInput<R>,
  options: RequestOptions = {},
): Listing<ItemOf<R>, PageOf<R>> {
  const fetchPage = async (query: object, pageOptions: ReadOptions<PageOf<R>>): Promise<PageOf<R>> =>
    (await call(route, { ...input, query }, pageOptions)) as PageOf<R>;
  const { query = {} }: RequestParts = input;
  async function* pages(): AsyncGenerator<PageOf<R>, void> {
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
