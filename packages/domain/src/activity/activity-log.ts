import type { Actor } from '../kernel/author.ts';
import type { FamilyRef, RecordRef } from '../project/family.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Activity, ActivityEntry } from './activity-entry.ts';

/** An entry in the history of a family, with its record. */
export interface FamilyActivityEntry extends ActivityEntry {
  readonly recordId: number;
}

/** Null admits every entry. */
export interface ActivityFilter {
  readonly recordId: number | null;
  readonly activity: Activity | null;
  readonly actor: Pick<Actor, 'keyId'> | null;
  /** Both bounds are exclusive. */
  readonly after: Date | null;
  readonly before: Date | null;
}

/** Reads the histories of records. The stores write them, in one step with the change. */
export interface ActivityLog {
  /** One page of a record, newest first. The byte limit of a page counts the changes, as JSON text. */
  page(ref: RecordRef, page: PageRequest): Promise<Page<ActivityEntry>>;

  /**
   * One page of all records of a family, in the reverse order of its changes, within the same byte limit; `count` is exact.
   * @throws DomainError `invalid_input`, attr `record`, if it takes too long
   */
  familyPage(
    family: FamilyRef,
    filter: ActivityFilter,
    page: PageRequest,
  ): Promise<Page<FamilyActivityEntry>>;
}
