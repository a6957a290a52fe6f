import { LINEAGE, type Lineage } from '../kernel/lineage.ts';

/**
 * A position in the changes of a family. Changes are ordered by the revision of the family at which the answer of a
 * record last changed, then by the id of the record.
 */
export interface FamilyPosition {
  readonly revision: number;
  /** The last record of this revision before the position; `ALL_RECORDS` if it is after all of them. */
  readonly id: number;
}

/** The position up to which a reader has everything, in the lineage in which it read. */
export interface FamilyCursor extends FamilyPosition {
  readonly lineage: Lineage;
}

/** A revision that a family has reached. */
export interface ReachedRevision {
  readonly lineage: Lineage;
  readonly revision: number;
}

export const ALL_RECORDS = Number.MAX_SAFE_INTEGER;

const FORM = new RegExp(String.raw`^(${LINEAGE})\.(\d{1,16})(?:-(\d{1,16}))?$`);

/** Writes the end of a revision without the id of a record. */
export function familyCursorText({ lineage, revision, id }: FamilyCursor): string {
  return id === ALL_RECORDS ? `${lineage}.${revision}` : `${lineage}.${revision}-${id}`;
}

/** Null if the text is malformed. */
export function parseFamilyCursor(text: string): FamilyCursor | null {
  const [, lineage, revision, id] = FORM.exec(text) ?? [];
  if (lineage === undefined || revision === undefined) return null;
  const cursor = { lineage, revision: Number(revision), id: id === undefined ? ALL_RECORDS : Number(id) };
  return cursor.revision <= ALL_RECORDS && cursor.id <= ALL_RECORDS ? cursor : null;
}

export function isAfter(one: FamilyPosition, other: FamilyPosition): boolean {
  return one.revision > other.revision || (one.revision === other.revision && one.id > other.id);
}

/** The cursor of a reader that has everything up to the end of a revision. */
export function cursorAt({ lineage, revision }: ReachedRevision): FamilyCursor {
  return { lineage, revision, id: ALL_RECORDS };
}

/** Whether the family has been at the cursor. Otherwise, the reader may have changes that are lost. */
export function hasReached(at: ReachedRevision, cursor: FamilyCursor): boolean {
  return cursor.lineage === at.lineage && !isAfter(cursor, cursorAt(at));
}

/** The position after a page of changes: the end of the revision after the last page, else the last record of the page. */
export function positionAfterPage(
  revision: number,
  {
    offset,
    count,
    last,
  }: { readonly offset: number; readonly count: number; readonly last: readonly FamilyPosition[] },
  since: FamilyPosition,
): FamilyPosition {
  return offset + last.length >= count ? { revision, id: ALL_RECORDS } : (last.at(-1) ?? since);
}
