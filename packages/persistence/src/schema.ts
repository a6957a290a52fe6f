import type { Database } from './database.ts';
import { MIGRATION_TABLE } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { run } from './statement.ts';

/** The steps that the code needs and the database has not taken; a database that is ahead misses none. */
export async function missingMigrations({ pool }: Pick<Database, 'pool'>): Promise<readonly string[]> {
  const [known] = await run(pool, { name: 'knows_migrations', text: 'select to_regclass($1) is not null' }, [
    MIGRATION_TABLE,
  ]);
  if (known?.[0] !== 't') return migrations.map(({ name }) => name);
  const taken = await run(pool, { name: 'migrations', text: `select name from ${MIGRATION_TABLE}` }, []);
  const names = new Set(taken.map(([name]) => name));
  return migrations.map(({ name }) => name).filter((name) => !names.has(name));
}

/** Resolves when the database answers. @throws DomainError `unavailable` */
export async function ping({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await run(pool, { name: 'ping', text: 'select 1', timeoutMs: 2_000 }, []);
}
