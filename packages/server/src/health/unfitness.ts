import { missingMigrations, whyUnfit, type Database } from '@plugin-config/persistence';

/** Why this code cannot work with the database, and what to do; null where it can. */
export async function unfitness(database: Database): Promise<string | null> {
  const reason = await whyUnfit(database);
  if (reason !== null) return reason;
  return (await missingMigrations(database)).length === 0
    ? null
    : 'The schema of the database is older than this code. Bring it up to date: npm run --silent cli -- migrate';
}
