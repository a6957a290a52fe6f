import type { AccessAnswer, AccessQuestion, ProjectRef } from '@plugin-config/domain';
import { numberAt } from '../postgres/cells.ts';
import { recordOrNullAt } from '../record/record-columns.ts';
import type { Database } from '../postgres/database.ts';
import { run, type Cells } from '../postgres/statement.ts';
import { ACCESS } from './access-statements.ts';
import { grantOrNullIn } from './key-grant-row.ts';

/** Asks for the lowest project that the key may see; no project has this id. */
const LOWEST = 0;
const NUMBER = 7;
const PROJECT = 8;
const REVISION = 9;
const RECORD = 10;

/** Questions of every kind. */
export async function askAboutAll(
  { pool }: Pick<Database, 'pool'>,
  questions: readonly AccessQuestion[],
): Promise<readonly AccessAnswer[]> {
  const rows = await run(pool, ACCESS, [
    questions.map(({ keyHash }) => keyHash),
    questions.map(({ project }) => projectParameter(project)),
    questions.map(({ family }) => family),
    questions.map(({ recordId }) => recordId),
  ]);
  const answers = new Array<AccessAnswer>(rows.length);
  for (const row of rows) {
    const place = numberAt(row, NUMBER) - 1;
    const question = questions[place];
    if (question !== undefined) answers[place] = answerTo(question, row);
  }
  return answers;
}

function projectParameter(project: ProjectRef | null): number | null {
  if (project === 'current') return LOWEST;
  return project === LOWEST ? null : project;
}

function answerTo({ keyHash }: AccessQuestion, row: Cells): AccessAnswer {
  return {
    key: grantOrNullIn(row, keyHash),
    projectId: row[PROJECT] === null ? null : numberAt(row, PROJECT),
    revision: numberAt(row, REVISION),
    record: recordOrNullAt(row, RECORD),
  };
}
