import type { Database } from './database.ts';
import { run, type Statement } from './statement.ts';

const SETTINGS: Statement = {
  name: 'connections_allowed',
  text: `select current_setting('max_connections')::int
    - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true), '0')::int`,
};

/** The number of connections that PostgreSQL accepts from roles without privileges, all together. */
export async function connectionsAllowed({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const [row] = await run(pool, SETTINGS, []);
  return Number(row?.[0]);
}
