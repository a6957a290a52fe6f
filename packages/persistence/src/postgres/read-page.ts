import type { Page } from '@plugin-config/domain';
import type pg from 'pg';
import type { Columns } from './columns.ts';
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
