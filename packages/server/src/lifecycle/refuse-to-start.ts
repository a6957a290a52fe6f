import { DomainError } from '@plugin-config/domain';
import { CannotStart } from './cannot-start.ts';

/** PostgreSQL denies the role a right, such as the one to connect. */
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Checks for a permanent problem before the start. Ignores a database that is out of reach: readiness reports it.
 * @throws CannotStart if there is a problem
 */
export async function refuseToStart(find: () => Promise<string | null>): Promise<void> {
  const problem = await find().catch(problemOf);
  if (problem !== null) throw new CannotStart(problem);
}

function problemOf(error: unknown): string | null {
  if (error instanceof DomainError && error.code === 'unavailable') return null;
  if (error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE) {
    return `The role of DATABASE_URL lacks a right in PostgreSQL: ${error.message}.`;
  }
  throw error;
}
