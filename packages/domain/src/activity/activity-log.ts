import type { RecordRef } from '../project/family.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { ActivityEntry } from './activity-entry.ts';

/** Reads the history of a record. The stores write it, in one step with the change. */
export interface ActivityLog {
  /** One page, newest first. The byte limit of a page counts the changes, as JSON text. */
  page(ref: RecordRef, page: PageRequest): Promise<Page<ActivityEntry>>;
}
