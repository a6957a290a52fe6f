import { defineEntity, p } from '@mikro-orm/core';

/** A followed log. Its arrivals are numbered; a batch locks the row until it commits. */
export const LogFollowRow = defineEntity({
  name: 'LogFollowRow',
  tableName: 'log_follow',
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    /** Told apart from the numbers of an earlier time at which the log was followed. */
    epoch: p.bigint('number'),
    /** The number of the last arrival. */
    number: p.bigint('number'),
  },
});

/** When a log was last known to be followed. Apart from `log_follow`, so that followers never wait for a batch. */
export const LogFollowerRow = defineEntity({
  name: 'LogFollowerRow',
  tableName: 'log_follower',
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    seenAt: p.datetime(3),
  },
  indexes: [{ name: 'log_follower_seen_index', properties: ['seenAt', 'recordId'] }],
});

/**
 * A committed announcement of entries that are in a separate log: their arrivals are committed with it. The id tells its time.
 * Kept as long as its entries are.
 */
export const LogAnnouncementRow = defineEntity({
  name: 'LogAnnouncementRow',
  tableName: 'log_announcement',
  properties: { id: p.bigint('string').primary().autoincrement(false) },
});

/** The entries of a batch that arrived in a followed log, with the numbers from `first` to `last`. */
export const LogArrivalRow = defineEntity({
  name: 'LogArrivalRow',
  tableName: 'log_arrival',
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
  indexes: [{ name: 'log_arrival_time_index', properties: ['arrivedAt'] }],
});
