import { defineEntity, p } from '@mikro-orm/core';

/** Partitioned by day. No foreign keys: what a worker appends by the thousand is checked against the records before. */
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
    /** Of an entry whose kind is shared, what it is; null of all others. */
    sourceType: p.text().strictNullable(),
  },
  indexes: [{ name: 'log_entry_kind_index', properties: ['recordId', 'kind', 'timestamp', 'id'] }],
});
