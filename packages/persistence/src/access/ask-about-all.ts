import { freshnessOf, type AccessAnswer, type AccessQuestion, type ProjectRef } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { run } from '../postgres/statement.ts';
import { ACCESS, ANSWER } from './access-statements.ts';
import { grantOf, KEY } from './key-columns.ts';

/** Stands for the lowest project that the key may see; no project has this id. */
const LOWEST = 0;

/** Answers questions of every kind. */
export async function askAboutAll(
  { pool, primary }: Pick<Database, 'pool' | 'primary'>,
  questions: readonly AccessQuestion[],
): Promise<readonly AccessAnswer[]> {
  const rows = await run(pool, ACCESS, [
    questions.map(({ keyHash }) => keyHash),
    questions.map(({ project }) => projectParameter(project)),
    questions.map(({ family }) => family),
    questions.map(({ recordId }) => recordId),
  ]);
  const { generation, lineage } = primary;
  const answers = new Array<AccessAnswer>(rows.length);
  for (const row of rows) {
    const { number, projectId, revision, registrations, record } = ANSWER.read(row, KEY.names.length);
    const question = questions[number - 1];
    if (question === undefined) continue;
    const key = grantOf(KEY.readOrNull(row), question.keyHash);
    const freshness = freshnessOf({ generation, revision, registrations });
    answers[number - 1] = { key, projectId, revision, lineage, freshness, record };
  }
  return answers;
}

function projectParameter(project: ProjectRef | null): number | null {
  if (project === 'current') return LOWEST;
  return project === LOWEST ? null : project;
}
