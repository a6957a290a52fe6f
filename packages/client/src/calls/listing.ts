import type { Page, PageQuery } from '../wire/page.ts';
import type { Call, CallInput, ReadOptions, RequestOptions } from './call.ts';
import type { Calls } from './calls.ts';
import type { PathParams } from './endpoints.ts';

/** A list whose pages are read as its items are needed: `for await (const item of listing)`. */
export interface Listing<T, P extends Page<T> = Page<T>> extends AsyncIterable<T> {
  /** Reads the first page. */
  page(options?: ReadOptions<P>): Promise<P>;
  /** Reads page after page. */
  pages(): AsyncIterable<P>;
}

/** The endpoints that answer pages. */
type ListId = {
  [Id in keyof Calls]: Calls[Id] extends { readonly query: PageQuery; readonly answer: Page<unknown> }
    ? Id
    : never;
}[keyof Calls];

type ItemOf<Id extends ListId> = Calls[Id]['answer']['results'][number];
type PageOf<Id extends ListId> = Calls[Id]['answer'] & Page<ItemOf<Id>>;

/** Lists what an endpoint answers in pages. */
export function listing<Id extends ListId>(
  call: Call,
  id: Id,
  { params, query = {} }: { readonly params: PathParams<Id>; readonly query: Calls[Id]['query'] | undefined },
  options: RequestOptions = {},
): Listing<ItemOf<Id>, PageOf<Id>> {
  const read = async (part: object, own: ReadOptions<PageOf<Id>>): Promise<PageOf<Id>> =>
    (await call(id, { params, query: part } as CallInput<Id>, own)) as PageOf<Id>;
  async function* pages(): AsyncGenerator<PageOf<Id>, void> {
    let page = await read(query, options);
    yield page;
    while (page.next !== null) {
      page = await read(queryOf(page.next), options);
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
