import { DomainError } from '@plugin-config/domain';
import { missingMigrations, type Database } from '@plugin-config/persistence';
import { CannotStart } from './cannot-start.ts';

/** A database that is out of reach may be there in a moment: that is for readiness to tell. */
export async function refuseOldSchema(database: Database): Promise<void> {
  const missing = await missingMigrations(database).catch(unlessUnavailable);
  if (missing.length > 0) {
    throw new CannotStart(
      'The schema of the database is older than this code. Bring it up to date: npm run --silent cli -- migrate',
    );
  }
}

function unlessUnavailable(error: unknown): readonly string[] {
  if (error instanceof DomainError && error.code === 'unavailable') return [];
  throw error;
}
