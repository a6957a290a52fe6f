import { defineEntity, p } from '@mikro-orm/core';

/** What a project brought into its logs on a day, in UTC. */
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
