import type { FamilyRef } from '../project/family.ts';
import { ALL_RECORDS, isAfter, type FamilyCursor } from './family-cursor.ts';

/** A record whose answer has changed, as it is now. */
export interface ChangedRecord {
  readonly id: number;
  readonly version: number;
  readonly deleted: boolean;
  /** The revision of the family at which its answer last changed. */
  readonly revision: number;
}

export interface FamilyChanges {
  /** The revision of the family when the changes were read. */
  readonly revision: number;
  /** The revision of the last rearrange. */
  readonly orderRevision: number;
  /** Sorted by revision, then id. */
  readonly records: readonly ChangedRecord[];
  /** False if there are more. */
  readonly isComplete: boolean;
}

/** Lists the changes of families. Each record is listed once, at its last change, so no history is needed. */
export interface FamilyFeed {
  /** The current revisions of these families, in their order; 0 for a missing one. */
  revisions(families: readonly FamilyRef[]): Promise<readonly number[]>;
  /** The records, deleted ones included, whose answers have changed after the cursor; at most `limit`. */
  changes(family: FamilyRef, after: FamilyCursor, limit: number): Promise<FamilyChanges>;
}

/** The cursor after a page of changes: the end of the revision after the last page, else the last record of the page. */
export function cursorAfterPage(
  revision: number,
  {
    offset,
    count,
    last,
  }: { readonly offset: number; readonly count: number; readonly last: readonly FamilyCursor[] },
  since: FamilyCursor,
): FamilyCursor {
  return offset + last.length >= count ? { revision, id: ALL_RECORDS } : (last.at(-1) ?? since);
}

/** One change, with the cursor after it. */
export interface FamilyStep {
  readonly cursor: FamilyCursor;
  /** Null for a rearrange of the family. */
  readonly record: ChangedRecord | null;
}

export interface FamilySteps {
  readonly steps: readonly FamilyStep[];
  /** The cursor after all steps. */
  readonly cursor: FamilyCursor;
}

/** The steps after a cursor. A rearrange comes after the records that it moved. */
export function stepsAfter(
  after: FamilyCursor,
  { revision, orderRevision, records, isComplete }: FamilyChanges,
): FamilySteps {
  const steps: FamilyStep[] = records.map((record) => ({
    cursor: { revision: record.revision, id: record.id },
    record,
  }));
  const end = isComplete ? { revision, id: ALL_RECORDS } : (steps.at(-1)?.cursor ?? after);
  const rearranged = { revision: orderRevision, id: ALL_RECORDS };
  if (isAfter(rearranged, after) && !isAfter(rearranged, end)) {
    const later = steps.findIndex(({ cursor }) => isAfter(cursor, rearranged));
    steps.splice(later === -1 ? steps.length : later, 0, { cursor: rearranged, record: null });
  }
  return { steps, cursor: end };
}
