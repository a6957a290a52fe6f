import type { ClickHouse } from '../server/clickhouse.ts';
import { migrations } from './migrations/index.ts';
import { MIGRATION_TABLE } from './tables.ts';

const LIMITS = { timeLimitMs: 2_000 };

/** The migrations that the code needs and the server lacks; none if the server is ahead of the code. */
export async function missingMigrations(clickHouse: ClickHouse): Promise<readonly string[]> {
  const names = migrations.map(({ name }) => name);
  const known = await clickHouse.select(`exists table ${MIGRATION_TABLE}`, {}, LIMITS);
  if (known[0]?.[0] !== 1) return names;
  const executed = await clickHouse.select(`select name from ${MIGRATION_TABLE} final`, {}, LIMITS);
  const done = new Set(executed.map(([name]) => name));
  return names.filter((name) => !done.has(name));
}
