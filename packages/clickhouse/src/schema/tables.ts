/** The table that queries use. On a cluster, it distributes records over shards, each of which has a `LOG_ENTRY_OF_SHARD`. */
export const LOG_ENTRY = 'log_entry';
export const LOG_ENTRY_OF_SHARD = 'log_entry_of_shard';
export const MIGRATION_TABLE = 'schema_migration';

/** Returns the table whose partitions hold the entries. */
export function partitionedTable(cluster: string | null): string {
  return cluster === null ? LOG_ENTRY : LOG_ENTRY_OF_SHARD;
}
