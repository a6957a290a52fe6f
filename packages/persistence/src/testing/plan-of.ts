import type pg from 'pg';

/** Returns the generic plan of a statement. PostgreSQL 15 has no `explain (generic_plan)`, so it prepares the statement. */
export async function planOf(pool: pg.Pool, text: string, begin = 'begin'): Promise<string> {
  const client = await pool.connect();
  await client.query(begin);
  await client.query(`prepare planned as ${text}`);
  const { rows: parameters } = await client.query(
    `select unnest(parameter_types) from pg_prepared_statements where name = 'planned'`,
  );
  const values = parameters.length === 0 ? '' : `(${parameters.map(() => 'null').join()})`;
  const { rows } = await client.query<Record<string, string>>(`explain (costs off) execute planned${values}`);
  await client.query('rollback; deallocate planned');
  client.release();
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
