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
    keyIds: p
      .array((id) => Number(id))
      .columnType('bigint[]')
      .defaultRaw(`'{}'`),
    startedAt: p.datetime(3),
    finishedAt: p.datetime(3).strictNullable(),
  },
});
