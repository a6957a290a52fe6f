import { defineEntity, p } from '@mikro-orm/core';

/** The erasure of the data of a deleted project. */
export const ErasureRow = defineEntity({
  name: 'ErasureRow',
  tableName: 'erasure',
  properties: {
    projectId: p.bigint('number').primary().autoincrement(false),
    /** The number of deleted rows by kind. */
    counts: p.json<Readonly<Record<string, number>>>().columnType('jsonb').defaultRaw(`'{}'`),
    /** The keys that were bound to the project alone. */
    keyIds: p.array<number>().columnType('bigint[]').defaultRaw(`'{}'`),
    /** The other keys that were bound to the project. */
    lostBy: p.array<number>().columnType('bigint[]').defaultRaw(`'{}'`),
    /** Null once the erasure is finished. */
    externalId: p.text().strictNullable(),
    /** The transaction that deleted the project. */
    changedXid: p.bigint('number').defaultRaw('((pg_current_xact_id())::text)::bigint'),
    startedAt: p.datetime(3),
    finishedAt: p.datetime(3).strictNullable(),
  },
  indexes: [{ name: 'erasure_changed_index', properties: ['changedXid'] }],
});
