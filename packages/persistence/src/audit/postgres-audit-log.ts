import type { AuditEntry, AuditLog } from '@plugin-config/domain';
import { AuditRow } from '../entities/audit.row.ts';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { pageOf } from '../postgres/read-page.ts';
import { rowOf } from '../postgres/table.ts';
import { withActor } from '../postgres/with-actor.ts';

const ROW = rowOf(AuditRow, 'a');

const ENTRY = columns((row): AuditEntry => {
  const {
    subjectType: type,
    subjectId: id,
    subjectName: name,
    projectId,
    ...entry
  } = withActor(row.all(ROW));
  return { ...entry, subject: { type, id, name, ...(projectId !== null && { projectId }) } };
});

const PAGE = pageOf({ name: 'page_of_audit', item: ENTRY, from: 'audit a', order: 'id desc' });

export function postgresAuditLog({ pool }: Pick<Database, 'pool'>): AuditLog {
  return { page: (page) => PAGE.read(pool, page) };
}
