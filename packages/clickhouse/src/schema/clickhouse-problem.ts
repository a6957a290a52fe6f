import type { ClickHouse } from '../server/clickhouse.ts';
import { compatibilityProblem } from './compatibility-problem.ts';
import { missingMigrations } from './missing-migrations.ts';

/**
 * Why this code cannot work with the server, and what to do; null if it can.
 * @throws DomainError `unavailable` if it is out of reach
 */
export async function clickHouseProblem(clickHouse: ClickHouse): Promise<string | null> {
  const reason = await compatibilityProblem(clickHouse);
  if (reason !== null) return reason;
  return (await missingMigrations(clickHouse)).length === 0
    ? null
    : 'The tables in ClickHouse are older than this code. Bring them up to date: npm run --silent cli -- migrate';
}
