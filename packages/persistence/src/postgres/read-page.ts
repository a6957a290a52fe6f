import type { Page, PageRequest } from '@plugin-config/domain';
import type pg from 'pg';
import { columns, type Columns } from './columns.ts';
import { rowsThatFit } from './rows-that-fit.ts';
import { run, type Parameter, type Statement } from './statement.ts';

/** The columns of a page: an item, which is null in the only row of an empty page, and the number of all items. */
export type Listed<T> = Columns<{ readonly item: T | null; readonly count: number }>;

export async function readPage<T>(
  connection: pg.Pool | pg.ClientBase,
  { statement, listed }: { readonly statement: Statement; readonly listed: Listed<T> },
  parameters: readonly Parameter[],
): Promise<Page<T>> {
  const rows = (await run(connection, statement, parameters)).map((row) => listed.read(row));
  return { count: rows[0]?.count ?? 0, items: rows.flatMap(({ item }) => item ?? []) };
}

interface PagedRows<T> {
  readonly name: string;
  readonly item: Columns<T>;
  /** `table alias where condition`: the alias is that of the item's columns, and parameters start at $3. */
  readonly from: string;
  /** Set if `from` begins with a subquery instead of a table. */
  readonly alias?: string;
  readonly order: string;
  /** The size of a row, if a page ends before `maxBytes`. */
  readonly bytes?: string;
  readonly maxBytes?: string;
}

interface PageReader<T> {
  readonly statement: Statement;
  read(
    connection: pg.Pool | pg.ClientBase,
    page: PageRequest,
    parameters?: readonly Parameter[],
  ): Promise<Page<T>>;
}

/** Returns a reader of pages of the rows of one table. */
export function pageOf<T>({
  name,
  item,
  from,
  alias = from.split(' ')[1] ?? '',
  order,
  bytes,
  maxBytes,
}: PagedRows<T>): PageReader<T> {
  const listed = columns((row) => ({
    item: row.allOrNull(item),
    count: row.number(`(select count(*) from ${from})`),
  }));
  const chosen = `(select ${alias}.* from ${from} order by ${order} limit $1 offset $2)`;
  const rows = bytes === undefined ? chosen : rowsThatFit({ from: chosen, order, bytes, maxBytes });
  const statement = {
    name,
    text: `select ${listed.sql}
  from (select) one
  left join ${rows} ${alias} on true
  order by ${order}`,
  };
  return {
    statement,
    read: (connection, { limit, offset }, parameters = []) =>
      readPage(connection, { statement, listed }, [limit, offset, ...parameters]),
  };
}
