import type { Author } from '../kernel/author.ts';
import { alreadyExists, DomainError, invalidInput } from '../kernel/domain-error.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import { checkText } from '../kernel/text.ts';
import type { LogQuota } from '../usage/log-quota.ts';
import { EXTERNAL_ID, EXTERNAL_ID_EXPECTED, LABEL_MAX } from '../vocabulary/vocabulary.ts';

/** The project id of items that belong to no project, such as a webhook for all projects. No project has this id. */
export const SERVICE = 0;

export interface Project {
  readonly id: number;
  readonly name: string;
  /** Its id in another product, unique among all projects; null if it has none. */
  readonly externalId: string | null;
  readonly createdAt: Date;
  /** Null uses the configured default. */
  readonly logQuota: LogQuota;
}

export interface NewProject extends Pick<Project, 'name'> {
  readonly externalId?: string | null | undefined;
}

export interface ProjectChange {
  readonly name?: string | undefined;
  /** Null removes it. */
  readonly externalId?: string | null | undefined;
  readonly logQuota?: LogQuota | undefined;
}

export interface PutProject {
  readonly project: Project;
  readonly isNew: boolean;
}

export function projectName(text: string): string {
  const name = text.trim();
  if (name === '') throw new DomainError('blank', 'A project needs a name.', { attr: 'name' });
  checkText(name, { attr: 'name', max: LABEL_MAX });
  return name;
}

const WHOLE_EXTERNAL_ID = new RegExp(`^${EXTERNAL_ID}$`);

/** @throws DomainError `invalid_input`, attr `external_id` */
export function externalIdOf(text: string): string {
  if (WHOLE_EXTERNAL_ID.test(text)) return text;
  throw invalidInput('external_id', EXTERNAL_ID_EXPECTED);
}

export function externalIdTaken(): DomainError {
  return alreadyExists('external_id', 'Another project has this external id.');
}

export interface ProjectFilter {
  /** The projects of a key; empty means all. */
  readonly ids: readonly number[];
  /** Only projects with a live record of these plugins; empty means all. */
  readonly plugins?: readonly number[];
  readonly externalId?: string | null;
  /** A part of the name or of the external id, ignoring case. */
  readonly search?: string | null;
}

export interface ProjectStore {
  /**
   * Creates a project with empty families, and its audit entry. The creation time is that of the author.
   * @throws DomainError `already_exists`, attr `external_id`
   */
  create(project: NewProject, author: Author): Promise<Project>;
  /**
   * Creates the project with this external id, or changes the name of the one that has it. Without a name, a new project is named
   * after its external id, and an existing one keeps its name.
   */
  put(externalId: string, name: string | undefined, author: Author): Promise<PutProject>;
  find(id: number): Promise<Project | null>;
  /** Returns the ids of the projects with these external ids. Unknown ids are absent. */
  idsOf(externalIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Returns the projects, sorted by id. Exact matches of a search come first. */
  list(page: PageRequest, filter: ProjectFilter): Promise<Page<Project>>;
  /**
   * Changes a project and adds an audit entry per change. Resolves to null if there is no such project.
   * @throws DomainError `already_exists`, attr `external_id`
   */
  change(id: number, change: ProjectChange, author: Author): Promise<Project | null>;
}
