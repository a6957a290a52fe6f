import type { Database } from '@plugin-config/persistence';

/** Makes a function that digests all rows that a request of the API can write. */
export async function fingerprint({ pool }: Pick<Database, 'pool'>): Promise<() => Promise<string>> {
  const { rows: tables } = await pool.query<{ readonly name: string }>(
    `select format('%I', tablename) as name from pg_tables where schemaname = current_schema() and tablename not in ('api_key', 'log_follow', 'log_follower')`,
  );
  const rows = tables
    .map(({ name }) => `select '${name} ' || t::text as row from ${name} t`)
    .join(' union all ');
  const text = `select md5(coalesce(string_agg(row, ',' order by row), '')) as digest from (${rows}) all_rows`;
  return async () => {
    const found = await pool.query<{ readonly digest: string }>({ name: 'fingerprint', text });
    return found.rows[0]?.digest ?? '';
  };
}
