import type { ClickHouse } from '../server/clickhouse.ts';
import { compatibilityProblem } from './compatibility-problem.ts';
import { schemaState } from './schema-state.ts';

/**
 * Why this code cannot work with the server, and what to do; null if it can.
 * @throws DomainError `unavailable` if it is out of reach
 */
export async function clickHouseProblem(clickHouse: ClickHouse): Promise<string | null> {
  const reason = await compatibilityProblem(clickHouse);
  if (reason !== null) return reason;
  const { missing, problem } = await schemaState(clickHouse);
  if (problem !== null || missing.length === 0) return problem;
  return 'The schema of ClickHouse is older than this code: bring it up to date with npm run --silent cli -- migrate';
}
