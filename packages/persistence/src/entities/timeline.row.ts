import { defineEntity, p } from '@mikro-orm/core';

/** Identifies the commits of a database on one timeline of its cluster. */
export const TimelineRow = defineEntity({
  name: 'TimelineRow',
  tableName: 'timeline',
  primaryKeys: ['system', 'database', 'timeline'],
  properties: {
    /** The system identifier of the cluster. */
    system: p.bigint('string').primary().autoincrement(false),
    /** The oid of the database. */
    database: p.integer().columnType('oid').primary().autoincrement(false),
    timeline: p.integer().primary().autoincrement(false),
    token: p.text(),
  },
});
