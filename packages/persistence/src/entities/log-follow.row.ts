import { defineEntity, p } from '@mikro-orm/core';

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
