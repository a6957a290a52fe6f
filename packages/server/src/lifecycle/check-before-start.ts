import { clickHouseProblem, type ClickHouse } from '@plugin-config/clickhouse';
import { DomainError, skewProblem } from '@plugin-config/domain';
import {
  databaseProblem,
  masterKeysProblem,
  type Database,
  type ServerClock,
} from '@plugin-config/persistence';
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

interface Services {
  readonly database: Database;
  readonly clock: ServerClock;
  /** Null if `CLICKHOUSE_URL` is not set. */
  readonly clickHouse: ClickHouse | null;
}

/**
 * Checks that the databases have what each process needs, and sets the clock.
 * @throws CannotStart if there is a problem
 */
export async function checkServices({ database, clock, clickHouse }: Services): Promise<void> {
  // This comes first: other queries are prepared statements, which fail behind an unsupported pooler.
  await checkBeforeStart(() => databaseProblem(database));
  await checkBeforeStart(() => masterKeysProblem(database));
  await checkBeforeStart(async () => skewProblem(await clock.set()));
  await checkBeforeStart(async () => clickHouse && clickHouseProblem(clickHouse));
}

function problemOf(error: unknown): string | null {
  if (error instanceof DomainError && error.code === 'unavailable') return null;
  if (error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE) {
    return `The role of DATABASE_URL lacks a privilege in PostgreSQL: ${error.message}.`;
  }
  throw error;
}
