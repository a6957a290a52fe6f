import {
  familyVersionOf,
  PluginConfigError,
  tagOf,
  type ConfigRecord,
  type ConfigRecords,
} from '@plugin-config/client';

/** All records of a family in their order. */
export interface FamilyState {
  /** The version of the family up to which the records are current. */
  readonly version: string;
  /** The tag of the list. A move with it is rejected if the list has changed. */
  readonly tag: string;
  readonly records: readonly ConfigRecord[];
}

const LIMIT = 1000;

/** Reads what has changed since an earlier state; without one, or if the service no longer knows it, everything. */
export async function readFamily(
  family: ConfigRecords,
  earlier: FamilyState | undefined,
  signal: AbortSignal,
): Promise<FamilyState> {
  if (earlier === undefined) return readAll(family, signal);
  try {
    return await readChanges(family, earlier, signal);
  } catch (error) {
    if (!(error instanceof PluginConfigError) || error.attr !== 'changed_since') throw error;
    return readAll(family, signal);
  }
}

/** Changes that were made between two pages are read afterwards. */
async function readAll(family: ConfigRecords, signal: AbortSignal): Promise<FamilyState> {
  const { state, pages } = await readPages(family, {}, { version: '', tag: '', records: [] }, signal);
  return pages === 1 ? state : readChanges(family, state, signal);
}

async function readChanges(
  family: ConfigRecords,
  earlier: FamilyState,
  signal: AbortSignal,
): Promise<FamilyState> {
  return (await readPages(family, { changed_since: earlier.version }, earlier, signal)).state;
}

/**
 * The whole list is current up to its first page, since records may change before the next one is read. Changes are current
 * up to the last page that was read.
 */
async function readPages(
  family: ConfigRecords,
  query: { readonly changed_since?: string },
  earlier: FamilyState,
  signal: AbortSignal,
) {
  let { version, tag } = earlier;
  let pages = 0;
  const changed: ConfigRecord[] = [];
  for await (const page of family.list({ ...query, limit: LIMIT }, { signal }).pages()) {
    if (pages === 0 || query.changed_since !== undefined)
      [version, tag] = [familyVersionOf(page) ?? version, tagOf(page) ?? tag];
    pages += 1;
    changed.push(...page.results);
  }
  return { pages, state: { version, tag, records: merged(earlier.records, changed) } };
}

/** The records with the changed ones in place of those that they replace, in their order, without deleted ones. */
export function merged(
  records: readonly ConfigRecord[],
  changed: readonly ConfigRecord[],
): readonly ConfigRecord[] {
  if (changed.length === 0) return records;
  const byId = new Map(records.map((record) => [record.id, record]));
  for (const record of changed) {
    if (record.deleted) byId.delete(record.id);
    else byId.set(record.id, record);
  }
  return [...byId.values()].toSorted((a, b) => a.order - b.order || a.id - b.id);
}

/** Whether a record shows an error that it did not show earlier; false if that is not known. */
export function showsOtherErrors(earlier: FamilyState | undefined, later: FamilyState | undefined): boolean {
  if (earlier === undefined || later === undefined || later === earlier) return false;
  const shown = new Map(earlier.records.map(({ id, error }) => [id, error]));
  return later.records.some(({ id, error }) => error !== null && error !== shown.get(id));
}
