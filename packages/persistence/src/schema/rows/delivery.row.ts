import { defineEntity, p } from '@mikro-orm/core';

/** Partitioned by day: the ids of the reports that were counted. */
export const DeliveryReportRow = defineEntity({
  name: 'DeliveryReportRow',
  tableName: 'delivery_report',
  primaryKeys: ['recordId', 'id', 'day'],
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    id: p.uuid().primary(),
    day: p.date().primary(),
  },
});

/** Unlogged: an id that a transaction is about to count. */
export const DeliveryClaimRow = defineEntity({
  name: 'DeliveryClaimRow',
  tableName: 'delivery_claim',
  primaryKeys: ['recordId', 'id'],
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    id: p.uuid().primary(),
  },
});

/** Partitioned by day: what was delivered within a span of time. */
export const DeliverySumRow = defineEntity({
  name: 'DeliverySumRow',
  tableName: 'delivery_sum',
  primaryKeys: ['recordId', 'span'],
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    span: p.datetime(3).primary(),
    successes: p.bigint('number'),
    successesOnRetry: p.bigint('number'),
    failures: p.bigint('number'),
  },
});

/** When the rate that a record shows must be computed again. */
export const DeliveryDueRow = defineEntity({
  name: 'DeliveryDueRow',
  tableName: 'delivery_due',
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    projectId: p.bigint('number'),
    dueAt: p.datetime(3),
    /** The number of reports. */
    changes: p.bigint('number'),
  },
  indexes: [{ name: 'delivery_due_index', properties: ['dueAt', 'projectId', 'recordId'] }],
});
