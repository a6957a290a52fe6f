import type { Page, PageRequest } from '../kernel/page.ts';
import type { RecordRef } from '../project/family.ts';
import type { Edition } from './edition.ts';

/**
 * Reads the editions of a record: its current state, and the earlier ones that are kept. The stores write them, in one step with
 * the change. None shows a secret, also none that was plain text when the edition was current.
 */
export interface EditionStore {
  /** One page, newest first. The byte limit of a page counts all texts of an edition (`editionBytes`). */
  page(ref: RecordRef, page: PageRequest): Promise<Page<Edition>>;
  find(ref: RecordRef, number: number): Promise<Edition | null>;
}
