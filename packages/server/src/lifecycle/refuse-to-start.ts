import { DomainError } from '@plugin-config/domain';
import { CannotStart } from './cannot-start.ts';

/**
 * Looks for a problem before the start. A database that is out of reach may be there in a moment: that is for readiness
 * to tell.
 * @throws CannotStart where there is one
 */
export async function refuseToStart(find: () => Promise<string | null>): Promise<void> {
  const problem = await find().catch(unlessUnavailable);
  if (problem !== null) throw new CannotStart(problem);
}

function unlessUnavailable(error: unknown): null {
  if (error instanceof DomainError && error.code === 'unavailable') return null;
  throw error;
}
