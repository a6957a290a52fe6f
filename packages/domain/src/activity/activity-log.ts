import type { Actor } from '../kernel/author.ts';
import type { FamilyRef, RecordRef } from '../project/family.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { ActivityEntry } from './activity-entry.ts';
import type { Activity } from '../vocabulary/vocabulary.ts';

/** An entry in the history of a family, with the id of its record. */
export interface FamilyActivityEntry extends ActivityEntry {
  readonly recordId: number;
}

/** Null matches every entry. */
export interface ActivityFilter {
  readonly recordId: number | null;
  readonly activity: Activity | null;
  readonly actor: Pick<Actor, 'keyId'> | null;
  /** Both bounds are exclusive. */
  readonly after: Date | null;
  readonly before: Date | null;
}

/** Reads the histories of records. The stores write each entry in the same step as its change. */
export interface ActivityLog {
  /** Returns a page of a record's history, newest first. The byte limit of a page counts the changes as JSON text. */
  page(ref: RecordRef, page: PageRequest): Promise<Page<ActivityEntry>>;

  /**
   * Returns a page of the history of all records of a family, newest first, with the same byte limit and an exact
   * `count`.
   * @throws DomainError `invalid_input`, attr `record`, if the search takes too long
   */
  familyPage(
    family: FamilyRef,
    filter: ActivityFilter,
    page: PageRequest,
  ): Promise<Page<FamilyActivityEntry>>;
}
