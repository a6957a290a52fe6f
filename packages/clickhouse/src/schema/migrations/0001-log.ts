import { LOG_ENTRY, LOG_ENTRY_OF_SHARD, partitionedTable } from '../tables.ts';
import { onCluster, quoted } from '../../server/names.ts';
import type { Migration } from './migration.ts';

/**
 * `ver` makes the first of two equal entries win. The sorting key has ids as numbers because ClickHouse sorts UUIDs by their
 * second half. `bytes` lets a page be sized without reading messages. Each day is merged into one part an hour after its last
 * insert, since reads with `final` have to merge all unmerged parts.
 */
const columns = `(
  record_id UInt64,
  timestamp DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  id UUID CODEC(NONE),
  project_id UInt64,
  plugin UInt32,
  source LowCardinality(String),
  type LowCardinality(String),
  message String CODEC(ZSTD(1)),
  bytes UInt32 DEFAULT length(message) CODEC(ZSTD(1)),
  instance_id UUID CODEC(ZSTD(1)),
  run UInt32 CODEC(ZSTD(1)),
  ver Int64 DEFAULT -toUnixTimestamp64Micro(now64(6)) CODEC(Delta(8), ZSTD(1))
)`;

const storage = `partition by toDate(timestamp)
order by (record_id, timestamp, toUInt128(id))
settings index_granularity = 1024, fsync_after_insert = 1, fsync_part_directory = 1,
  min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1`;

/** On a cluster, each shard is replicated, and the replicas coordinate through ClickHouse Keeper or ZooKeeper. */
function engineOn(cluster: string | null): string {
  return cluster === null
    ? 'ReplacingMergeTree(ver)'
    : `ReplicatedReplacingMergeTree('/clickhouse/tables/{database}/{shard}/${LOG_ENTRY_OF_SHARD}', '{replica}', ver)`;
}

export const logMigration: Migration = {
  name: '0001-log',
  statements: (cluster) => {
    const stored = `create table if not exists ${partitionedTable(cluster)}${onCluster(cluster)}
      ${columns} engine = ${engineOn(cluster)} ${storage}`;
    if (cluster === null) return [stored];
    const target = `${quoted(cluster)}, currentDatabase(), ${LOG_ENTRY_OF_SHARD}, intHash64(record_id)`;
    return [
      stored,
      `create table if not exists ${LOG_ENTRY}${onCluster(cluster)} as ${LOG_ENTRY_OF_SHARD}
        engine = Distributed(${target})`,
    ];
  },
};
