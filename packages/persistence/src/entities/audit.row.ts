import { defineEntity, p } from '@mikro-orm/core';
import type { AuditAction, AuditSubject } from '@plugin-config/domain';
import { authorColumns } from './author-columns.ts';

/** An administrative change, stored in the same transaction. */
export const AuditRow = defineEntity({
  name: 'AuditRow',
  tableName: 'audit',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    at: p.datetime(3),
    ...authorColumns(),
    action: p.text().$type<AuditAction>(),
    subjectType: p.text().$type<AuditSubject['type']>(),
    subjectId: p.bigint('number'),
    subjectName: p.text(),
    /** The project of a subject that belongs to one. */
    projectId: p.bigint('number').strictNullable(),
  },
});
