export { openClickHouse, type ClickHouse, type QueryCounts } from './server/clickhouse.ts';
export { clickHouseProblem } from './schema/compatibility-problem.ts';
export { migrate as migrateClickHouse } from './schema/migrate.ts';
export { clickHouseArchive } from './log/clickhouse-archive.ts';
