import type { AuditAction, AuditSubject, Author } from '@plugin-config/domain';
import type pg from 'pg';
import { run, type Statement } from '../postgres/statement.ts';

const INSERT_AUDIT: Statement = {
  name: 'insert_audit',
  text: `insert into audit (at, actor_key_id, actor_label, request_id, action, subject_type, subject_id, subject_name, project_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
};

/** Adds an entry to the audit log in the caller's transaction, like `audit`, which uses the entity manager. */
export async function insertAudit(
  client: pg.ClientBase,
  { at, actor, requestId }: Author,
  action: AuditAction,
  { type, id, name, projectId }: AuditSubject,
): Promise<void> {
  const parameters = [
    at.toISOString(),
    actor.keyId,
    actor.label,
    requestId,
    action,
    type,
    id,
    name,
    projectId ?? null,
  ];
  await run(client, INSERT_AUDIT, parameters);
}
