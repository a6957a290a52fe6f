import type { AuditAction, AuditEntry, AuditLog, AuditSubject, Author } from '@plugin-config/domain';
import type { AuditRow } from '../entities/audit.row.ts';
import type { Entities } from '../entities/entities-on.ts';
import type { Database } from '../postgres/database.ts';

export function postgresAuditLog({ entities }: Pick<Database, 'entities'>): AuditLog {
  return {
    page: ({ limit, offset }) =>
      entities('list_audit', async ({ em, AuditRow }) => {
        const [rows, count] = await em.findAndCount(AuditRow, {}, { limit, offset, orderBy: { id: 'desc' } });
        return { count, items: rows.map(entryOf) };
      }),
  };
}

/** Adds an entry to the audit log in the transaction of the change. */
export function audit(
  { em, AuditRow }: Pick<Entities, 'em' | 'AuditRow'>,
  { at, actor, requestId }: Author,
  action: AuditAction,
  { type, id, name, projectId }: AuditSubject,
): void {
  em.create(AuditRow, {
    at,
    actorKeyId: actor.keyId,
    actorLabel: actor.label,
    requestId,
    action,
    subjectType: type,
    subjectId: id,
    subjectName: name,
    projectId: projectId ?? null,
  });
}

function entryOf(row: AuditRow): AuditEntry {
  const { id, at, actorKeyId: keyId, actorLabel: label, requestId, action } = row;
  const { subjectType: type, subjectId, subjectName: name, projectId } = row;
  const subject = { type, id: subjectId, name, ...(projectId !== null && { projectId }) };
  return { id, at, actor: { keyId, label }, requestId, action, subject };
}
