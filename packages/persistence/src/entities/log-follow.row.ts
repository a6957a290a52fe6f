import { defineEntity, p } from '@mikro-orm/core';

/** A followed log. A batch that adds sequence numbers locks the row until it commits. */
export const LogFollowRow = defineEntity({
  name: 'LogFollowRow',
  tableName: 'log_follow',
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    /** Another one each time that the log is followed again after it was forgotten, since the numbers begin again. */
    epoch: p.bigint('number'),
    /** The number of the last arrival. */
    number: p.bigint('number'),
  },
});

/** When somebody last followed the log. A table of its own: in `log_follow`, a follower would wait for batches. */
export const LogFollowerRow = defineEntity({
  name: 'LogFollowerRow',
  tableName: 'log_follower',
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    seenAt: p.datetime(3),
  },
  indexes: [{ name: 'log_follower_seen_index', properties: ['seenAt', 'recordId'] }],
});

/** Up to 250 sequence numbers of one batch in one followed log, numbered from `first` to `last`. */
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
