import type { RecordRef } from '../project/family.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { ActivityEntry } from './activity-entry.ts';

/** The history of a record. It is written by the stores, in the step that makes the change. */
export interface ActivityLog {
  /** Newest first. What counts for the bytes of a page are the changes, as JSON text. */
  page(ref: RecordRef, page: PageRequest): Promise<Page<ActivityEntry>>;
}
