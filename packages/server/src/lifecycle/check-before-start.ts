import { DomainError } from '@plugin-config/domain';
import { CannotStart } from './cannot-start.ts';

/** The role lacks a privilege, such as CONNECT. */
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Checks for a permanent problem before the start. Ignores an unavailable database, which readiness reports.
 * @throws CannotStart if there is a problem
 */
export async function checkBeforeStart(findProblem: () => Promise<string | null>): Promise<void> {
  const problem = await findProblem().catch(problemOf);
  if (problem !== null) throw new CannotStart(problem);
}

function problemOf(error: unknown): string | null {
  if (error instanceof DomainError && error.code === 'unavailable') return null;
  if (error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE) {
    return `The role of DATABASE_URL lacks a privilege in PostgreSQL: ${error.message}.`;
  }
  throw error;
}
