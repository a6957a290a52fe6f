import type { Page, PageRequest } from '../kernel/page.ts';
import type { FamilyRef } from '../project/family.ts';

/** The last error that a record's plugin reported, as the record shows it. */
export interface ReportedError {
  readonly recordId: number;
  readonly error: string;
  /** The time of the error, by the plugin's clock. */
  readonly at: Date;
}

/** Reads the errors of the live records of a family. */
export interface ReportedErrors {
  /** Returns one page, latest first, then by descending record id. The byte limit of a page counts the errors. */
  page(family: FamilyRef, recordId: number | null, page: PageRequest): Promise<Page<ReportedError>>;
}
