export { startClickHouse, type ClickHouseServer } from './clickhouse-server.ts';
export { createClickHouseDatabase } from './create-clickhouse-database.ts';
export { setup } from './test-server.ts';
