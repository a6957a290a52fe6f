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
import { grantOf, KEY } from './key-columns.ts';

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
  const hashes = [...new Set(queries.map(({ keyHash }) => keyHash))];
  const families = new Map(queries.map((query) => [numberOf(query), query]));
  const rows = await run(pool, ACCESS_TO_FAMILIES, [
    hashes,
    [...families.values()].map(({ project }) => project),
    [...families.values()].map(({ family }) => family),
  ]);
  const grants = grantsIn(rows, hashes);
  const [registryVersion = 0, ...counters] = countersIn(rows);
  const familyVersions = new Map([...families.keys()].map((number, i) => [number, counters[i] ?? 0]));
  return queries.map((query) => {
    const familyVersion = familyVersions.get(numberOf(query)) ?? 0;
    const key = grants.get(query.keyHash) ?? null;
    const projectId = familyVersion === 0 ? null : query.project;
    return { key, projectId, familyVersion, registryVersion, record: null };
  });
}

const numberOf = ({ project: projectId, family }: FamilyQuery): number => familyNumber({ projectId, family });

/** Returns the grants of the keys with these hashes. */
function grantsIn(rows: readonly Cells[], hashes: readonly string[]): ReadonlyMap<string, KeyGrant | null> {
  const keys = rows.flatMap((row) => KEY.readOrNull(row) ?? []);
  const stored = new Map(keys.map((key) => [key.hash, key]));
  return new Map(hashes.map((hash) => [hash, grantOf(stored.get(hash), hash)]));
}

/** Reads the counters from the only row without a key. */
function countersIn(rows: readonly Cells[]): readonly number[] {
  const row = rows.find(([key]) => key === null) ?? [];
  return textAt(row, KEY.names.length).split(',').map(Number);
}
