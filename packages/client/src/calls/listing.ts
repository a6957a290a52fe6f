import type { Page, PageQuery } from '../wire/page.ts';
import type { Call, CallInput, ReadOptions, RequestOptions } from './call.ts';
import type { Calls } from './calls.ts';
import type { PathParams } from './endpoints.ts';

/** A list whose pages are fetched as needed: `for await (const item of listing)`. */
export interface Listing<T, P extends Page<T> = Page<T>> extends AsyncIterable<T> {
  /** Fetches the first page. */
  page(options?: ReadOptions<P>): Promise<P>;
  /** Iterates over all pages. */
  pages(): AsyncIterable<P>;
}

/** The endpoints that return pages. */
type ListId = {
  [Id in keyof Calls]: Calls[Id] extends { readonly query: PageQuery; readonly response: Page<unknown> }
    ? Id
    : never;
}[keyof Calls];

type ItemOf<Id extends ListId> = Calls[Id]['response']['results'][number];
type PageOf<Id extends ListId> = Calls[Id]['response'] & Page<ItemOf<Id>>;

/** Returns a listing of an endpoint that returns pages. */
export function listing<Id extends ListId>(
  call: Call,
  id: Id,
  { params, query = {} }: { readonly params: PathParams<Id>; readonly query: Calls[Id]['query'] | undefined },
  options: RequestOptions = {},
): Listing<ItemOf<Id>, PageOf<Id>> {
  const fetchPage = async (pageQuery: object, pageOptions: ReadOptions<PageOf<Id>>): Promise<PageOf<Id>> =>
    (await call(id, { params, query: pageQuery } as CallInput<Id>, pageOptions)) as PageOf<Id>;
  async function* pages(): AsyncGenerator<PageOf<Id>, void> {
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
