import { DomainError } from '../kernel/domain-error.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import { checkText } from '../kernel/text.ts';

export interface Project {
  readonly id: number;
  readonly name: string;
  readonly createdAt: Date;
}

export const PROJECT_NAME_MAX = 200;

export function projectName(text: string): string {
  const name = text.trim();
  if (name === '') throw new DomainError('blank', 'A project needs a name.', { attr: 'name' });
  checkText(name, { attr: 'name', max: PROJECT_NAME_MAX });
  return name;
}

export interface ProjectStore {
  /** A new project, with both of its families empty. */
  create(name: string, at: Date): Promise<Project>;
  find(id: number): Promise<Project | null>;
  /** By id. `ids` narrows it to what a key may see; empty is all. */
  list(page: PageRequest, ids: readonly number[]): Promise<Page<Project>>;
  /** Resolves to null where there is no such project. */
  rename(id: number, name: string): Promise<Project | null>;
}
