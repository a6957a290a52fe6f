import type { Database } from '../index.ts';

/** Returns the rows of all tables as text. Leaves out `last_used_at` of keys, which any request may change. */
export async function dumpTables({
  pool,
}: Pick<Database, 'pool'>): Promise<Readonly<Record<string, readonly string[]>>> {
  const { rows: tables } = await pool.query<{ readonly name: string }>(
    `select format('%I', relname) as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`,
  );
  const parts = tables.map(
    ({ name }) => `select '${name}' as name, (to_jsonb(t) - 'last_used_at')::text as row from ${name} t`,
  );
  const { rows } = await pool.query<{ readonly name: string; readonly row: string }>(
    `${parts.join(' union all ')} order by name, row`,
  );
  const byTable = Map.groupBy(rows, ({ name }) => name);
  return Object.fromEntries(
    tables.map(({ name }) => [name, (byTable.get(name) ?? []).map(({ row }) => row)]),
  );
}
