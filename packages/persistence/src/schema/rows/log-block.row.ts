import { defineEntity, p } from '@mikro-orm/core';

/** Partitioned by day: how many entries of each kind a stretch of a record's log holds. */
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
