import type { ReachedVersion } from '../project/family.ts';

/**
 * A position in the changes to a family, ordered by the family version of a record's last change, then by record id.
 */
export interface FamilyPosition {
  readonly familyVersion: number;
  /** The last record of this family version before the position; `ALL_RECORDS` if it is after all of them. */
  readonly id: number;
}

/** The position up to which a reader has seen everything, and the registry version at its last read. */
export interface FamilyCursor extends FamilyPosition, ReachedVersion {}

export const ALL_RECORDS = Number.MAX_SAFE_INTEGER;

const FORM = /^(\d{1,16})\.(\d{1,16})(?:-(\d{1,16}))?$/;

/** Returns the text of a cursor. The id is left out at the end of a family version. */
export function familyCursorText({ registryVersion, familyVersion, id }: FamilyCursor): string {
  const end = `${registryVersion}.${familyVersion}`;
  return id === ALL_RECORDS ? end : `${end}-${id}`;
}

export function parseFamilyCursor(text: string): FamilyCursor | null {
  const [, registry, familyVersion, id] = FORM.exec(text) ?? [];
  if (registry === undefined) return null;
  const cursor = {
    registryVersion: Number(registry),
    familyVersion: Number(familyVersion),
    id: id === undefined ? ALL_RECORDS : Number(id),
  };
  const numbers = [cursor.registryVersion, cursor.familyVersion, cursor.id];
  return numbers.every((number) => number <= ALL_RECORDS) ? cursor : null;
}

export function isAfter(one: FamilyPosition, other: FamilyPosition): boolean {
  return (
    one.familyVersion > other.familyVersion ||
    (one.familyVersion === other.familyVersion && one.id > other.id)
  );
}

/** Returns the cursor of a reader that has seen everything up to the end of a family version. */
export function cursorAt({ registryVersion, familyVersion }: ReachedVersion): FamilyCursor {
  return { registryVersion, familyVersion, id: ALL_RECORDS };
}

/** Whether the family has reached the cursor. If not, the reader may have seen changes that are lost. */
export function hasReached(at: ReachedVersion, cursor: FamilyCursor): boolean {
  return cursor.registryVersion <= at.registryVersion && !isAfter(cursor, cursorAt(at));
}

/**
 * Returns the position after a page of changes: its last record or, after the last page, the end of the family
 * version.
 */
export function positionAfterPage(
  familyVersion: number,
  {
    offset,
    count,
    last,
  }: { readonly offset: number; readonly count: number; readonly last: readonly FamilyPosition[] },
  since: FamilyPosition,
): FamilyPosition {
  return offset + last.length >= count ? { familyVersion, id: ALL_RECORDS } : (last.at(-1) ?? since);
}
