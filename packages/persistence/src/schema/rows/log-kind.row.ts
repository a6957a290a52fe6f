import { defineEntity, p } from '@mikro-orm/core';

/** The kinds of entries that the log of a record holds. An entry refers to its kind by the place in this array. */
export const LogKindRow = defineEntity({
  name: 'LogKindRow',
  tableName: 'log_kind',
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    kinds: p.array(),
  },
});
