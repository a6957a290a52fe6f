import {
  familyNumber,
  type AccessResult,
  type AccessQuery,
  type Family,
  type KeyGrant,
} from '@plugin-config/domain';
import { textAt } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { prepared, run, type Cells } from '../postgres/statement.ts';
import { VERSIONS_TEXT } from '../record/family-versions.ts';
import { grantOf, KEY, type Key } from './key-columns.ts';

/** A query about a family of a named project, which almost every request needs. */
export interface FamilyQuery extends AccessQuery {
  readonly project: number;
  readonly family: Family;
  readonly recordId: null;
}

/** Returns one row for each key that exists, and one row with all versions in one text. */
export const ACCESS_TO_FAMILIES = prepared('access_to_families')`
  select ${KEY.sql}, null from api_key k where k.hash = any ($1::text[])
  union all
  select ${KEY.names.map(() => 'null').join(', ')}, ${VERSIONS_TEXT('$2', '$3')}`;

/** Runs queries about families. Looks up each key and each family once. */
export async function queryAccessByFamily(
  { pool }: Pick<Database, 'pool'>,
  queries: readonly FamilyQuery[],
): Promise<readonly AccessResult[]> {
  const keys = distinctBy(queries, ({ keyHash }) => keyHash);
  const families = distinctBy(queries, ({ project: projectId, family }) =>
    familyNumber({ projectId, family }),
  );
  const rows = await run(pool, ACCESS_TO_FAMILIES, [
    keys.firsts.map(({ keyHash }) => keyHash),
    families.firsts.map(({ project }) => project),
    families.firsts.map(({ family }) => family),
  ]);
  const grants = grantsIn(rows, keys.firsts);
  const [registryVersion = 0, ...familyVersions] = countersIn(rows);
  return queries.map(({ project }, i) => {
    const familyVersion = familyVersions[families.indexes[i] ?? -1] ?? 0;
    const key = grants[keys.indexes[i] ?? -1] ?? null;
    const projectId = familyVersion === 0 ? null : project;
    return { key, projectId, familyVersion, registryVersion, record: null };
  });
}

function grantsIn(rows: readonly Cells[], queries: readonly FamilyQuery[]): readonly (KeyGrant | null)[] {
  const keys = new Map<string, Key>();
  for (const row of rows) {
    const key = KEY.readOrNull(row);
    if (key !== null) keys.set(key.hash, key);
  }
  return queries.map(({ keyHash }) => grantOf(keys.get(keyHash), keyHash));
}

/** Reads the counters from the only row without a key. */
function countersIn(rows: readonly Cells[]): readonly number[] {
  const row = rows.find(([key]) => key === null) ?? [];
  return textAt(row, KEY.names.length).split(',').map(Number);
}

interface Distinct<Item> {
  /** The first item of each kind. */
  readonly firsts: readonly Item[];
  /** For each item, the index of its kind in `firsts`. */
  readonly indexes: readonly number[];
}

export function distinctBy<Item>(
  items: readonly Item[],
  kindOf: (item: Item) => string | number,
): Distinct<Item> {
  const indexOfKind = new Map<string | number, number>();
  const firsts: Item[] = [];
  const indexes = items.map((item) => {
    const kind = kindOf(item);
    const index = indexOfKind.get(kind) ?? firsts.push(item) - 1;
    indexOfKind.set(kind, index);
    return index;
  });
  return { firsts, indexes };
}
