import type { Database } from '@plugin-config/persistence';

/** Returns a function that computes a digest of all rows that requests can write. */
export async function fingerprint({ pool }: Pick<Database, 'pool'>): Promise<() => Promise<string>> {
  const { rows: tables } = await pool.query<{ readonly name: string }>(
    `select format('%I', relname) as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r'
       and relname not in ('api_key', 'log_follow', 'log_follower')`,
  );
  const sums = tables
    .map(({ name }) => `select sum(hashtextextended(t::text, hashtext('${name}'))) as part from ${name} t`)
    .join(' union all ');
  const text = `select coalesce(sum(part), 0)::text as digest from (${sums}) parts`;
  return async () => {
    const found = await pool.query<{ readonly digest: string }>({ name: 'fingerprint', text });
    return found.rows[0]?.digest ?? '';
  };
}
