import type { Page, PageRequest } from '../kernel/page.ts';
import type { FamilyRef } from '../project/family.ts';

/** The last error that the plugin of a record reported, as the record shows it. */
export interface ReportedError {
  readonly recordId: number;
  readonly error: string;
  /** When it happened, by the clock of the plugin. */
  readonly at: Date;
}

/** Reads the errors of the live records of a family. */
export interface ReportedErrors {
  /** One page the latest first; of one moment, that of the highest record first. The byte limit of a page counts the errors. */
  page(family: FamilyRef, recordId: number | null, page: PageRequest): Promise<Page<ReportedError>>;
}
