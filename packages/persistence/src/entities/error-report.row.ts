import { defineEntity, p } from '@mikro-orm/core';

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
});
