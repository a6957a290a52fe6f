import { skewProblem } from '@plugin-config/domain';
import {
  isWritable,
  missingMigrations,
  readClocks,
  compatibilityProblem,
  type Database,
} from '@plugin-config/persistence';
import type { Readiness } from './health.routes.ts';

/** Checks that the database answers, its clock agrees with ours, its schema fits this code, and it is writable. */
export function databaseReadiness(database: Database): Readiness {
  let isFit = false;
  return async () => {
    const problem = skewProblem(await readClocks(database));
    if (problem !== null) return problem;
    if (!isFit) {
      const reason = await databaseProblem(database);
      if (reason !== null) return reason;
      isFit = true;
    }
    return (await isWritable(database))
      ? null
      : 'The database cannot be written to: it is a standby, or default_transaction_read_only is on.';
  };
}

/** Why this code cannot work with the database, and what to do; null if it can. */
export async function databaseProblem(database: Database): Promise<string | null> {
  const reason = await compatibilityProblem(database);
  if (reason !== null) return reason;
  return (await missingMigrations(database)).length === 0
    ? null
    : 'The schema of the database is older than this code. Bring it up to date: npm run --silent cli -- migrate';
}
