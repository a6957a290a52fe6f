import type { Database } from '../../postgres/database.ts';
import { run, type Statement } from '../../postgres/statement.ts';
import { missingCreateRight } from '../../postgres/missing-create-right.ts';

/** Finds a table partitioned by day that the role does not own, so it cannot attach or drop partitions. */
const NOT_OWNED: Statement = {
  name: 'day_tables_not_owned',
  text: `select current_user, relname, quote_ident(pg_get_userbyid(relowner)), quote_ident(current_user)
    from pg_class
    where relnamespace = (select oid from pg_namespace where nspname = current_schema())
      and relname ~ '^(log_entry(_[0-9]{8})?|delivery_report_[0-9])$' and relkind in ('r', 'p')
      and not pg_has_role(relowner, 'usage')
    order by relname limit 1`,
  timeoutMs: 2_000,
};

/** Returns why the role cannot create and drop the tables of days, and what to do about it; null if it can. */
export async function dayTablesProblem(database: Pick<Database, 'pool'>): Promise<string | null> {
  const [row] = await run(database.pool, NOT_OWNED, []);
  if (row === undefined) return missingCreateRight(database);
  const [role, table, owner, grantee] = row;
  return `The role ${role} does not own the table ${table}, so it cannot create and drop the tables of days: use the role ${owner}, or run "grant ${owner} to ${grantee}".`;
}
