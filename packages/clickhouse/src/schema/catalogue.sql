CREATE TABLE log_entry
(
    `record_id` UInt64,
    `timestamp` DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
    `id` UUID CODEC(NONE),
    `project_id` UInt64,
    `plugin` UInt32,
    `source` LowCardinality(String),
    `type` LowCardinality(String),
    `message` String CODEC(ZSTD(1)),
    `bytes` UInt32 DEFAULT length(message) CODEC(ZSTD(1)),
    `instance_id` UUID CODEC(ZSTD(1)),
    `run` UInt32 CODEC(ZSTD(1)),
    `ver` Int64 DEFAULT -toUnixTimestamp64Micro(now64(6)) CODEC(Delta(8), ZSTD(1))
)
ENGINE = ReplacingMergeTree(ver)
PARTITION BY toDate(timestamp)
ORDER BY (record_id, timestamp, toUInt128(id))
SETTINGS index_granularity = 1024, fsync_after_insert = 1, fsync_part_directory = 1, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1

CREATE TABLE schema_migration
(
    `name` String,
    `executed_at` DateTime DEFAULT now(),
    `checksum` String
)
ENGINE = ReplacingMergeTree
ORDER BY name
SETTINGS index_granularity = 8192
