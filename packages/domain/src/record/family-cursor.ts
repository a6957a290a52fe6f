/**
 * A position in the changes of a family. Changes are ordered by the revision of the family at which the answer of a
 * record last changed, then by the id of the record. A reader has everything up to its cursor.
 */
export interface FamilyCursor {
  readonly revision: number;
  /** The last record of this revision that the reader has; `ALL_RECORDS` if it has them all. */
  readonly id: number;
}

export const ALL_RECORDS = Number.MAX_SAFE_INTEGER;

const FORM = /^(\d{1,16})(?:-(\d{1,16}))?$/;

/** Writes the end of a revision as its number alone. */
export function familyCursorText({ revision, id }: FamilyCursor): string {
  return id === ALL_RECORDS ? String(revision) : `${revision}-${id}`;
}

/** Null if the text is malformed. */
export function parseFamilyCursor(text: string): FamilyCursor | null {
  const [, revision, id] = FORM.exec(text) ?? [];
  if (revision === undefined) return null;
  const cursor = { revision: Number(revision), id: id === undefined ? ALL_RECORDS : Number(id) };
  return cursor.revision <= ALL_RECORDS && cursor.id <= ALL_RECORDS ? cursor : null;
}

export function isAfter(one: FamilyCursor, other: FamilyCursor): boolean {
  return one.revision > other.revision || (one.revision === other.revision && one.id > other.id);
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
