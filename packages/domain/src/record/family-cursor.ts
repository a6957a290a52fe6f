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

/** The state of the store in which something was read. */
interface ReadAt {
  readonly lineage: Lineage;
  /** The version of the registry of plugins, whose registrations change what records show. */
  readonly registryVersion: number;
}

/** The position up to which a reader has everything, and the state in which it read. */
export interface FamilyCursor extends FamilyPosition, ReadAt {}

/** A revision that a family has reached. */
export interface ReachedRevision extends ReadAt {
  readonly revision: number;
}

export const ALL_RECORDS = Number.MAX_SAFE_INTEGER;

const FORM = new RegExp(String.raw`^(${LINEAGE})\.(\d{1,16})\.(\d{1,16})(?:-(\d{1,16}))?$`);

/** Writes the end of a revision without the id of a record. */
export function familyCursorText({ lineage, registryVersion, revision, id }: FamilyCursor): string {
  const end = `${lineage}.${registryVersion}.${revision}`;
  return id === ALL_RECORDS ? end : `${end}-${id}`;
}

/** Null if the text is malformed. */
export function parseFamilyCursor(text: string): FamilyCursor | null {
  const [, lineage, registry, revision, id] = FORM.exec(text) ?? [];
  if (lineage === undefined) return null;
  const cursor = {
    lineage,
    registryVersion: Number(registry),
    revision: Number(revision),
    id: id === undefined ? ALL_RECORDS : Number(id),
  };
  const numbers = [cursor.registryVersion, cursor.revision, cursor.id];
  return numbers.every((number) => number <= ALL_RECORDS) ? cursor : null;
}

export function isAfter(one: FamilyPosition, other: FamilyPosition): boolean {
  return one.revision > other.revision || (one.revision === other.revision && one.id > other.id);
}

/** The cursor of a reader that has everything up to the end of a revision. */
export function cursorAt({ lineage, registryVersion, revision }: ReachedRevision): FamilyCursor {
  return { lineage, registryVersion, revision, id: ALL_RECORDS };
}

/** Whether the family has been at the cursor. Otherwise, the reader may have changes that are lost. */
export function hasReached(at: ReachedRevision, cursor: FamilyCursor): boolean {
  return (
    cursor.lineage === at.lineage &&
    cursor.registryVersion <= at.registryVersion &&
    !isAfter(cursor, cursorAt(at))
  );
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
