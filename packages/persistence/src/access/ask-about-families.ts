import {
  familyNumber,
  freshnessOf,
  type AccessAnswer,
  type AccessQuestion,
  type Family,
  type KeyGrant,
} from '@plugin-config/domain';
import { textAt } from '../postgres/cells.ts';
import type { Database } from '../postgres/database.ts';
import { run, type Cells } from '../postgres/statement.ts';
import { ACCESS_TO_FAMILIES } from './access-statements.ts';
import { distinctBy } from './distinct-by.ts';
import { grantOf, KEY, type Key } from './key-columns.ts';

/** A question about a family of a named project, which nearly every request asks. */
export interface FamilyQuestion extends AccessQuestion {
  readonly project: number;
  readonly family: Family;
  readonly recordId: null;
}

export function isAboutFamily(question: AccessQuestion): question is FamilyQuestion {
  return typeof question.project === 'number' && question.family !== null && question.recordId === null;
}

/** Answers questions about families. Looks up each key and each family once. */
export async function askAboutFamilies(
  { pool, primary }: Pick<Database, 'pool' | 'primary'>,
  questions: readonly FamilyQuestion[],
): Promise<readonly AccessAnswer[]> {
  const keys = distinctBy(questions, ({ keyHash }) => keyHash);
  const families = distinctBy(questions, ({ project: projectId, family }) =>
    familyNumber({ projectId, family }),
  );
  const rows = await run(pool, ACCESS_TO_FAMILIES, [
    keys.firsts.map(({ keyHash }) => keyHash),
    families.firsts.map(({ project }) => project),
    families.firsts.map(({ family }) => family),
  ]);
  const { generation, lineage } = primary;
  const grants = grantsIn(rows, keys.firsts);
  const [registrations = 0, ...revisions] = countersIn(rows);
  return questions.map(({ project }, i) => {
    const revision = revisions[families.indexes[i] ?? -1] ?? 0;
    const key = grants[keys.indexes[i] ?? -1] ?? null;
    const freshness = freshnessOf({ generation, revision, registrations });
    return { key, projectId: revision === 0 ? null : project, revision, lineage, freshness, record: null };
  });
}

function grantsIn(
  rows: readonly Cells[],
  questions: readonly FamilyQuestion[],
): readonly (KeyGrant | null)[] {
  const keys = new Map<string, Key>();
  for (const row of rows) {
    const key = KEY.readOrNull(row);
    if (key !== null) keys.set(key.hash, key);
  }
  return questions.map(({ keyHash }) => grantOf(keys.get(keyHash), keyHash));
}

/** Reads the counters from the only row without a key. */
function countersIn(rows: readonly Cells[]): readonly number[] {
  const row = rows.find(([key]) => key === null) ?? [];
  return textAt(row, KEY.names.length).split(',').map(Number);
}
