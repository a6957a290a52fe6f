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
