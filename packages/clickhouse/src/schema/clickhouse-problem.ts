import type { ClickHouse } from '../server/clickhouse.ts';
import { compatibilityProblem } from './compatibility-problem.ts';
import { schemaState } from './schema-state.ts';

/**
 * Returns why this code cannot work with the server and what to do about it; null if it can.
 * @throws DomainError `unavailable` if the server is unreachable
 */
export async function clickHouseProblem(clickHouse: ClickHouse): Promise<string | null> {
  const reason = await compatibilityProblem(clickHouse);
  if (reason !== null) return reason;
  const { missing, problem } = await schemaState(clickHouse);
  if (problem !== null || missing.length === 0) return problem;
  return 'The schema of ClickHouse is older than this code: update it with npm run --silent cli -- migrate';
}
