import type { Author } from '../kernel/author.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { AuditAction, AuditSubjectType } from '../vocabulary/vocabulary.ts';

/** The target of an administrative change, with its name at that time. */
export interface AuditSubject {
  readonly type: AuditSubjectType;
  readonly id: number;
  readonly name: string;
  /** The project that an alert or a webhook belongs to. */
  readonly projectId?: number;
}

export interface NewAuditEntry extends Author {
  readonly action: AuditAction;
  readonly subject: AuditSubject;
}

export interface AuditEntry extends NewAuditEntry {
  readonly id: number;
}

/**
 * Reads administrative changes. The stores of keys, projects and plugins write them in the same step as the change.
 */
export interface AuditLog {
  page(page: PageRequest): Promise<Page<AuditEntry>>;
}
