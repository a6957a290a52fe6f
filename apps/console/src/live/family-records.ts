import {
  familyVersionOf,
  PluginConfigError,
  tagOf,
  type ConfigRecord,
  type ConfigRecords,
  type RequestOptions,
} from '@plugin-config/client';

/** All records of a family, in order. */
export interface FamilyState {
  /** The family version that the records reflect. */
  readonly version: string;
  /** The entity tag of the list. A move with it is rejected if the list has changed. */
  readonly tag: string;
  readonly records: readonly ConfigRecord[];
}

const LIMIT = 1000;

/** Reads the changes since an earlier state, or everything if there is none or it is too old. */
export async function readFamily(
  family: ConfigRecords,
  earlier: FamilyState | undefined,
  options: RequestOptions,
): Promise<FamilyState> {
  try {
    const { state, pages } = await readPages(family, earlier, options);
    // Records may have changed between the pages of the whole list, so read the changes since the first.
    return earlier === undefined && pages > 1 ? await readFamily(family, state, options) : state;
  } catch (error) {
    if (!(error instanceof PluginConfigError) || error.attr !== 'changed_since') throw error;
    return readFamily(family, undefined, options);
  }
}

/**
 * The whole list reflects the version of its first page, since records may change before the next page is read.
 * Lists of changes reflect the version of their last page.
 */
async function readPages(family: ConfigRecords, earlier: FamilyState | undefined, options: RequestOptions) {
  let { version, tag } = earlier ?? { version: '', tag: '' };
  let pages = 0;
  const changed: ConfigRecord[] = [];
  const query = { changed_since: earlier?.version, limit: LIMIT };
  for await (const page of family.list(query, options).pages()) {
    if (pages === 0 || earlier !== undefined) {
      [version, tag] = [familyVersionOf(page) ?? version, tagOf(page) ?? tag];
    }
    pages += 1;
    changed.push(...page.results);
  }
  return { pages, state: { version, tag, records: merged(earlier?.records ?? [], changed) } };
}

/** Merges changed records into a sorted list, and removes deleted records. */
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

/** Whether the cached lists and records reflect a version of their family. False if none says its version. */
export function isAtVersion(cached: readonly unknown[], version: string): boolean {
  const versions = cached.map(versionOf).filter((one) => one !== undefined);
  return versions.length > 0 && versions.every((one) => one === version);
}

function versionOf(cached: unknown): string | undefined {
  if (typeof cached !== 'object' || cached === null) return undefined;
  return 'records' in cached ? (cached as FamilyState).version : familyVersionOf(cached);
}
