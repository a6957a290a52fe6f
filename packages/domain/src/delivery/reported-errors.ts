import type { Page, PageRequest } from '../kernel/page.ts';
import type { FamilyRef } from '../project/family.ts';
import type { PluginSubject, ProjectSubject, RecordSubject } from '../project/subject.ts';
import type { Family } from '../vocabulary/vocabulary.ts';

/** The last error that a record's plugin reported, as the record shows it. */
export interface ReportedError {
  readonly recordId: number;
  readonly error: string;
  /** The time of the error, by the plugin's clock. */
  readonly at: Date;
}

/** An error of any project, and what it is about. */
export interface NamedError extends ReportedError {
  readonly project: ProjectSubject;
  readonly family: Family;
  readonly record: RecordSubject;
  readonly plugin: PluginSubject;
}

export interface NamedErrorsRequest {
  readonly limit: number;
  /** The last error of the previous page; null for the first page. */
  readonly after: Pick<ReportedError, 'at' | 'recordId'> | null;
  /** Null for all plugins. */
  readonly plugin: number | null;
}

export interface NamedErrorsPage extends Page<NamedError> {
  readonly hasMore: boolean;
}

/** Reads the errors of live records: latest first, then by descending record id. The byte limit of a page counts the errors. */
export interface ReportedErrors {
  page(family: FamilyRef, recordId: number | null, page: PageRequest): Promise<Page<ReportedError>>;
  /** Returns one page of the errors of all projects. Counts only `COUNTED_MAX`. */
  pageOfAll(request: NamedErrorsRequest): Promise<NamedErrorsPage>;
}
