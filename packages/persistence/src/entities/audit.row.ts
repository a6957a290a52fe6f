import { defineEntity, p } from '@mikro-orm/core';
import type { AuditAction, AuditSubject, Subject } from '@plugin-config/domain';

/** An administrative change, stored in the same transaction. */
export const AuditRow = defineEntity({
  name: 'AuditRow',
  tableName: 'audit',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    at: p.datetime(3),
    actorKeyId: p.bigint('number').strictNullable(),
    actorLabel: p.text(),
    actorSubject: p.json<Subject>().columnType('json').strictNullable(),
    requestId: p.text().strictNullable(),
    action: p.text().$type<AuditAction>(),
    subjectType: p.text().$type<AuditSubject['type']>(),
    subjectId: p.bigint('number'),
    subjectName: p.text(),
    /** The project of a subject that belongs to one. */
    projectId: p.bigint('number').strictNullable(),
  },
});
