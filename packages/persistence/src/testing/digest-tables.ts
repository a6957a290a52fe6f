import { createHash } from 'node:crypto';
import type { Database } from '../index.ts';

/** Returns a digest of the rows of each table. Faster than `dumpTables`, and ignores the same columns. */
export async function digestTables({
  pool,
}: Pick<Database, 'pool'>): Promise<Readonly<Record<string, string | null>>> {
  const { rows: tables } = await pool.query<{ readonly name: string }>(
    `select format('%I', relname) as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r' order by relname`,
  );
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, sum(hashtextextended((to_jsonb(t) - 'last_used_at')::text, 0))::text as digest from ${name} t`,
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
