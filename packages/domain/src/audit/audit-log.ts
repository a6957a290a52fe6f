import type { Author } from '../kernel/author.ts';
import type { Page, PageRequest } from '../kernel/page.ts';

export const AUDIT_ACTIONS = [
  'key_issued',
  'key_revoked',
  'project_created',
  'project_renamed',
  'project_quota_changed',
  'plugin_registered',
  'plugin_removed',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What an administrative change was made to, with its name at that time. */
export interface AuditSubject {
  readonly type: 'key' | 'project' | 'plugin';
  readonly id: number;
  readonly name: string;
}

export interface NewAuditEntry extends Author {
  readonly action: AuditAction;
  readonly subject: AuditSubject;
}

export interface AuditEntry extends NewAuditEntry {
  readonly id: number;
}

/** Reads the administrative changes. The stores of keys, projects and plugins write them, in one step with the change. */
export interface AuditLog {
  /** One page, newest first. */
  page(page: PageRequest): Promise<Page<AuditEntry>>;
}
