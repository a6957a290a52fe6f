import { defineEntity, p } from '@mikro-orm/core';

/** The log usage of a project on a day, in UTC. */
export const LogUsageRow = defineEntity({
  name: 'LogUsageRow',
  tableName: 'log_usage',
  properties: {
    day: p.date().primary(),
    projectId: p.bigint('number').primary(),
    entries: p.bigint('number'),
    bytes: p.bigint('number'),
    overQuota: p.bigint('number'),
  },
});
