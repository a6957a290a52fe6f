import { defineEntity, p } from '@mikro-orm/core';

/** The id of a counted report, kept for two days. The table is partitioned by the day of arrival, modulo 5. */
export const DeliveryReportRow = defineEntity({
  name: 'DeliveryReportRow',
  tableName: 'delivery_report',
  primaryKeys: ['recordId', 'id', 'dayNumber'],
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    id: p.uuid().primary(),
    dayNumber: p.integer().primary().autoincrement(false),
  },
});

/** The deliveries of a span. */
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
  indexes: [{ name: 'delivery_sum_time_index', properties: ['span'] }],
});

/** A failed delivery. Its number counts those of the record. */
export const FailedDeliveryRow = defineEntity({
  name: 'FailedDeliveryRow',
  tableName: 'failed_delivery',
  primaryKeys: ['recordId', 'number'],
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    number: p.bigint('number').primary().autoincrement(false),
    projectId: p.bigint('number'),
    at: p.datetime(3),
    ref: p.text(),
    reason: p.text(),
  },
  indexes: [
    { name: 'failed_delivery_time_index', properties: ['at'] },
    { name: 'failed_delivery_project_index', properties: ['projectId', 'at'] },
  ],
});

/** When the delivery rate of a record has to be recomputed. */
export const DeliveryDueRow = defineEntity({
  name: 'DeliveryDueRow',
  tableName: 'delivery_due',
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    projectId: p.bigint('number'),
    dueAt: p.datetime(3),
  },
  indexes: [{ name: 'delivery_due_index', properties: ['dueAt', 'projectId', 'recordId'] }],
});

/** The latest reported error of a record, with its position in the order of reports. */
export const ErrorReportRow = defineEntity({
  name: 'ErrorReportRow',
  tableName: 'error_report',
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    timestamp: p.datetime(3),
    takenInAt: p.datetime(3),
    position: p.bigint('number'),
    error: p.text().strictNullable(),
  },
  indexes: [
    { name: 'error_report_time_index', properties: ['timestamp', 'recordId'], where: 'error is not null' },
  ],
});
