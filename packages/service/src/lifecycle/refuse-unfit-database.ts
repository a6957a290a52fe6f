import { DomainError } from '@plugin-config/domain';
import type { Database } from '@plugin-config/persistence';
import { unfitness } from '../health/unfitness.ts';
import { CannotStart } from './cannot-start.ts';

/**
 * A database that is out of reach may be there in a moment: that is for readiness to tell.
 * @throws CannotStart where this code cannot work with the database
 */
export async function refuseUnfitDatabase(database: Database): Promise<void> {
  const reason = await unfitness(database).catch(unlessUnavailable);
  if (reason !== null) throw new CannotStart(reason);
}

function unlessUnavailable(error: unknown): null {
  if (error instanceof DomainError && error.code === 'unavailable') return null;
  throw error;
}
