import { SERVICE, type AuditAction, type AuditSubject, type Author } from '@plugin-config/domain';
import type pg from 'pg';
import { AuditRow } from '../entities/audit.row.ts';
import { prepared, run } from '../postgres/statement.ts';
import { writtenOf } from '../postgres/table.ts';
import { actorColumns } from '../postgres/with-actor.ts';

const WRITTEN = writtenOf(AuditRow, ['id']);

const INSERT_AUDIT = prepared('insert_audit')`
  insert into audit (${WRITTEN.names}) values (${WRITTEN.parameters(1)})`;

/** Adds an entry to the audit log in the transaction of the change. */
export async function insertAudit(
  client: pg.ClientBase,
  { at, actor, requestId }: Author,
  action: AuditAction,
  { type: subjectType, id: subjectId, name: subjectName, projectId }: AuditSubject,
): Promise<void> {
  const subject = {
    subjectType,
    subjectId,
    subjectName,
    projectId: projectId === SERVICE ? null : projectId,
  };
  const entry = { at, ...actorColumns(actor), requestId, action, ...subject };
  await run(client, INSERT_AUDIT, WRITTEN.values(entry));
}
