import type { FamilyRef, ReachedVersion } from '../project/family.ts';
import { cursorAt, isAfter, type FamilyCursor } from '../record/family-cursor.ts';

export interface ChangedRecord {
  readonly id: number;
  readonly version: number;
  readonly deleted: boolean;
  /** The family version of its last change. */
  readonly familyVersion: number;
}

/** The changes to a family after a cursor, and the state in which they were read. */
export interface ChangedRecords extends ReachedVersion {
  /**
   * Whether the registration or removal of a plugin has changed how records up to the cursor are shown. These records
   * are not among the changes.
   */
  readonly isCursorInvalid: boolean;
  /** The family version of the last rearrange. */
  readonly orderVersion: number;
  /** Sorted by family version, then id. */
  readonly records: readonly ChangedRecord[];
  /** False if there are more. */
  readonly isComplete: boolean;
}

export interface FamilyVersions {
  readonly registryVersion: number;
  readonly familyVersions: readonly number[];
}

/** Lists the changes to families. Each record is listed once, at its last change, so no history is needed. */
export interface FamilyChanges {
  /** Returns the current versions of these families, in order; 0 for a missing one. */
  familyVersions(families: readonly FamilyRef[]): Promise<FamilyVersions>;
  /** Returns at most `limit` records, including deleted records, that have changed after the cursor. */
  after(family: FamilyRef, cursor: FamilyCursor, limit: number): Promise<ChangedRecords>;
}

/** One change, with the cursor after it. */
export interface StreamedChange {
  readonly cursor: FamilyCursor;
  /** Null for a rearrange of the family. */
  readonly record: ChangedRecord | null;
}

/**
 * Returns the changes after a cursor, and the cursor after all of them. A rearrange comes after the records it moved.
 */
export function changesAfter(
  after: FamilyCursor,
  { orderVersion, records, isComplete, ...at }: ChangedRecords,
): { readonly changes: readonly StreamedChange[]; readonly reached: FamilyCursor } {
  const changes: StreamedChange[] = records.map((record) => ({
    cursor: { ...cursorAt({ ...at, familyVersion: record.familyVersion }), id: record.id },
    record,
  }));
  const reached = isComplete ? cursorAt(at) : (changes.at(-1)?.cursor ?? after);
  const rearranged = cursorAt({ ...at, familyVersion: orderVersion });
  if (isAfter(rearranged, after) && !isAfter(rearranged, reached)) {
    const later = changes.findIndex(({ cursor }) => isAfter(cursor, rearranged));
    changes.splice(later === -1 ? changes.length : later, 0, { cursor: rearranged, record: null });
  }
  return { changes, reached };
}
