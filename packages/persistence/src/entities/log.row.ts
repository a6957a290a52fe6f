import { defineEntity, p } from '@mikro-orm/core';

/**
 * A day with log entries. Its partition of `log_entry` is named after it. Entries that arrive after a copy are in PostgreSQL
 * only, until the next run.
 */
export const LogDayRow = defineEntity({
  name: 'LogDayRow',
  tableName: 'log_day',
  properties: {
    day: p.date().primary(),
    /** Whether it has a partition. */
    inPostgres: p.boolean().default(true),
    /** The last finished run that copied the day to the archive. */
    run: p.integer().default(0),
    /** Only the row of the last dropped day is kept. */
    dropped: p.boolean().default(false),
  },
});

/** Partitioned by day. There are no foreign keys, since workers check the records of a batch before they append it. */
export const LogEntryRow = defineEntity({
  name: 'LogEntryRow',
  tableName: 'log_entry',
  primaryKeys: ['recordId', 'timestamp', 'id'],
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    timestamp: p.datetime(3).primary(),
    id: p.uuid().primary(),
    instanceId: p.uuid(),
    plugin: p.integer(),
    /** The number of its source and type. */
    kind: p.integer(),
    message: p.text(),
    /** The source and type if either is not predefined; otherwise null. */
    sourceType: p.text().strictNullable(),
  },
  indexes: [{ name: 'log_entry_kind_index', properties: ['recordId', 'kind', 'timestamp', 'id'] }],
});

/** The entries of a log per hour, counted by kind, which is the index in the array. */
export const LogHourRow = defineEntity({
  name: 'LogHourRow',
  tableName: 'log_hour',
  primaryKeys: ['recordId', 'hour'],
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    hour: p.datetime(3).primary(),
    counts: p.array<number>().columnType('integer[]'),
  },
  indexes: [{ name: 'log_hour_time_index', properties: ['hour'] }],
});

/** The same counts for all logs of a project, at most a minute behind. */
export const LogProjectHourRow = defineEntity({
  name: 'LogProjectHourRow',
  tableName: 'log_project_hour',
  primaryKeys: ['projectId', 'hour'],
  properties: {
    projectId: p.bigint('number').primary().autoincrement(false),
    hour: p.datetime(3).primary(),
    counts: p.array<number>().columnType('integer[]'),
  },
  indexes: [{ name: 'log_project_hour_time_index', properties: ['hour'] }],
});

/** The counts of a batch that are not yet added to `log_project_hour`. */
export const LogProjectDeltaRow = defineEntity({
  name: 'LogProjectDeltaRow',
  tableName: 'log_project_delta',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    projectId: p.bigint('number'),
    hour: p.datetime(3),
    counts: p.array<number>().columnType('integer[]'),
  },
});

/** A followed log. Batches that assign sequence numbers lock the row until they commit. */
export const LogFollowRow = defineEntity({
  name: 'LogFollowRow',
  tableName: 'log_follow',
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    /** Changes when a forgotten log is followed again, since its numbers start over. */
    epoch: p.bigint('number'),
    /** The last sequence number. */
    number: p.bigint('number'),
  },
});

/** When the log last had a follower. A separate table, since updates of `log_follow` would wait for batches. */
export const LogFollowerRow = defineEntity({
  name: 'LogFollowerRow',
  tableName: 'log_follower',
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    seenAt: p.datetime(3),
  },
  indexes: [{ name: 'log_follower_seen_index', properties: ['seenAt', 'recordId'] }],
});

/** Up to 250 entries of one batch in a followed log, with the sequence numbers from `first` to `last`. */
export const LogSequenceRow = defineEntity({
  name: 'LogSequenceRow',
  tableName: 'log_sequence',
  primaryKeys: ['recordId', 'epoch', 'last'],
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    epoch: p.bigint('number').primary().autoincrement(false),
    last: p.bigint('number').primary().autoincrement(false),
    first: p.bigint('number'),
    /** The timestamps, in milliseconds since 1970. */
    times: p.array<number>().columnType('bigint[]'),
    ids: p.array().columnType('uuid[]'),
    arrivedAt: p.datetime(3),
  },
  indexes: [{ name: 'log_sequence_time_index', properties: ['arrivedAt'] }],
});

/** The log usage of a project on a day, in UTC. */
export const LogUsageRow = defineEntity({
  name: 'LogUsageRow',
  tableName: 'log_usage',
  properties: {
    day: p.date().primary(),
    projectId: p.bigint('number').primary(),
    entries: p.bigint('number'),
    bytes: p.bigint('number'),
    overQuota: p.bigint('number'),
  },
});
