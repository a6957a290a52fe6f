/** The table that queries name. On a cluster it spreads records over shards, each of which has the next one. */
export const LOG_ENTRY = 'log_entry';
export const LOG_ENTRY_OF_SHARD = 'log_entry_of_shard';
export const MIGRATION_TABLE = 'schema_migration';

/** The table whose partitions hold the entries of a server. */
export function partitionedTable(cluster: string | null): string {
  return cluster === null ? LOG_ENTRY : LOG_ENTRY_OF_SHARD;
}
