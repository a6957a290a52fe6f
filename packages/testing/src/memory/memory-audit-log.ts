import type { AuditAction, AuditLog, AuditSubject, Author } from '@plugin-config/domain';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryState } from './memory-state.ts';
import { pageOf } from './page-of.ts';

export function memoryAuditLog(db: MemoryDatabase): AuditLog {
  return {
    page: async (page) => pageOf([...db.state.audit.values()].toReversed(), page, () => 0),
  };
}

export function audit(
  { audit: entries }: MemoryState,
  { at, actor, requestId }: Author,
  action: AuditAction,
  subject: AuditSubject,
): void {
  const id = entries.size + 1;
  entries.set(id, { id, at, actor, requestId, action, subject });
}
