import { missingMigrations, ping, type Database } from '@plugin-config/persistence';
import type { Readiness } from './health.routes.ts';

/** Whether the database answers, with a schema that is no older than this code. */
export function databaseReadiness(database: Database): Readiness {
  let upToDate = false;
  return async () => {
    if (upToDate) await ping(database);
    else upToDate = (await missingMigrations(database)).length === 0;
    return upToDate
      ? null
      : 'The schema of the database is older than this code: run npm run --silent cli -- migrate.';
  };
}
