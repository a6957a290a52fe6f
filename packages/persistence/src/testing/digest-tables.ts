import { createHash } from 'node:crypto';
import type { Database } from '../index.ts';

/**
 * Returns a digest of the rows of each table, by the place and the transaction of each row: a write changes them, even if it
 * stores the same values. Ignores when a key was used, as `dumpTables` does.
 */
export async function digestTables({
  pool,
}: Pick<Database, 'pool'>): Promise<Readonly<Record<string, string | null>>> {
  const { rows: tables } = await pool.query<{ readonly name: string; readonly row: string }>(
    `select format('%I', c.relname) as name,
       case when a.attname is null then 't.ctid::text || t.xmin' else '(to_jsonb(t) - ''last_used_at'')::text' end as row
     from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'last_used_at'
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' order by c.relname`,
  );
  const parts = tables.map(
    ({ name, row }) =>
      `select '${name}' as name, sum(hashtextextended(${row}, 0))::text as digest from ${name} t`,
  );
  const text = parts.join(' union all ');
  // Planning takes longer than reading, so the statement is prepared; there is a new one for each new partition.
  const name = `digest_${createHash('md5').update(text).digest('hex')}`;
  const { rows } = await pool.query<{ readonly name: string; readonly digest: string | null }>({
    name,
    text,
  });
  return Object.fromEntries(rows.map((row) => [row.name, row.digest]));
}
