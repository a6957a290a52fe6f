import type { Author } from '../kernel/author.ts';
import { DomainError } from '../kernel/domain-error.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import { checkText } from '../kernel/text.ts';
import type { LogQuota } from '../usage/log-quota.ts';
import { LABEL_MAX } from '../vocabulary/vocabulary.ts';

export interface Project {
  readonly id: number;
  readonly name: string;
  readonly createdAt: Date;
  /** Null uses the configured default. */
  readonly logQuota: LogQuota;
}

export interface ProjectChange {
  readonly name?: string | undefined;
  readonly logQuota?: LogQuota | undefined;
}

export function projectName(text: string): string {
  const name = text.trim();
  if (name === '') throw new DomainError('blank', 'A project needs a name.', { attr: 'name' });
  checkText(name, { attr: 'name', max: LABEL_MAX });
  return name;
}

export interface ProjectStore {
  /** Creates a project with empty families, and its audit entry. The creation time is that of the author. */
  create(name: string, author: Author): Promise<Project>;
  find(id: number): Promise<Project | null>;
  /** Returns the projects, sorted by id. `ids` restricts them to the projects of a key; empty means all. */
  list(page: PageRequest, ids: readonly number[]): Promise<Page<Project>>;
  /** Changes a project and adds an audit entry per change. Resolves to null if there is no such project. */
  change(id: number, change: ProjectChange, author: Author): Promise<Project | null>;
}
