import { defineEntity, p } from '@mikro-orm/core';

/** A day on which something was stored. Its partitions are named after it, until they are dropped. */
export const LogDayRow = defineEntity({
  name: 'LogDayRow',
  tableName: 'log_day',
  properties: {
    day: p.date().primary(),
    dropped: p.boolean().default(false),
  },
});

/** How far the entries of a day are exported: to the entry with this key. */
export const LogExportRow = defineEntity({
  name: 'LogExportRow',
  tableName: 'log_export',
  properties: {
    day: p.date().primary(),
    exported: p.bigint('number'),
    recordId: p.bigint('number'),
    timestamp: p.datetime(3),
    id: p.uuid(),
    complete: p.boolean(),
  },
});

/** The kinds of entries in the log of a record. An entry refers to its kind by the index in this array. */
export const LogKindRow = defineEntity({
  name: 'LogKindRow',
  tableName: 'log_kind',
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    kinds: p.array(),
  },
});

/** Partitioned by day. Has no foreign keys: workers check the records of a batch before they append it. */
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
    kind: p.integer(),
    message: p.text(),
    /** The source and type of an entry with a shared kind; otherwise null. */
    sourceType: p.text().strictNullable(),
  },
  indexes: [{ name: 'log_entry_kind_index', properties: ['recordId', 'kind', 'timestamp', 'id'] }],
});

/** Partitioned by day: the number of entries by kind in a block of a log. */
export const LogBlockRow = defineEntity({
  name: 'LogBlockRow',
  tableName: 'log_block',
  primaryKeys: ['recordId', 'depth', 'prefix', 'day'],
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    depth: p.smallint().primary().autoincrement(false),
    prefix: p.text().primary().collation('C'),
    day: p.date().primary(),
    total: p.bigint('number'),
    counts: p.array<number>().columnType('bigint[]'),
    split: p.boolean().default(false),
  },
});
