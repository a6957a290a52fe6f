import { defineEntity, p } from '@mikro-orm/core';

/** The latest error that was reported of a record, and its place in the order of reports. */
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
});
