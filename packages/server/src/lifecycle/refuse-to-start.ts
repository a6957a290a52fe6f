import { DomainError } from '@plugin-config/domain';
import { CannotStart } from './cannot-start.ts';

/**
 * Checks for a permanent problem before the start. Ignores a database that is out of reach: readiness reports it.
 * @throws CannotStart if there is a problem
 */
export async function refuseToStart(find: () => Promise<string | null>): Promise<void> {
  const problem = await find().catch(unlessUnavailable);
  if (problem !== null) throw new CannotStart(problem);
}

function unlessUnavailable(error: unknown): null {
  if (error instanceof DomainError && error.code === 'unavailable') return null;
  throw error;
}
