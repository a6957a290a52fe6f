import { timingSafeEqual } from 'node:crypto';
import type {
  AccessAnswer,
  AccessProbe,
  AccessQuestion,
  KeyGrant,
  ProjectRef,
  Scope,
} from '@plugin-config/domain';
import { batching } from '../batching.ts';
import { dateOrNullAt, numberAt, textAt, textOrNullAt } from '../cells.ts';
import { recordOrNullAt } from '../config-record/record-columns.ts';
import type { Database } from '../database.ts';
import { run, type Cells } from '../statement.ts';
import { ACCESS, ACCESS_TO_RECORD } from './access-statements.ts';

const MOST = 256;
const LANES = 2;
/** Asks for the lowest project that the key may see; no project has this id. */
const LOWEST = 0;
const RECORD = 10;

/**
 * The questions of a tick travel in one statement, those that are the same as one. A question only joins a
 * statement that is not sent yet: nothing in an answer is older than its question.
 */
export function postgresAccessProbe({ pool }: Pick<Database, 'pool'>): AccessProbe {
  const gathering = new Map<string, Promise<AccessAnswer>>();
  const ask = batching<AccessQuestion, AccessAnswer>({
    most: MOST,
    lanes: LANES,
    send: async (questions) => {
      gathering.clear();
      const withRecords = questions.some(({ recordId }) => recordId !== null);
      const rows = await run(pool, withRecords ? ACCESS_TO_RECORD : ACCESS, parameters(questions));
      return inOrder(rows, questions);
    },
  });
  return {
    ask: (question) => {
      const same = `${question.keyHash} ${question.project} ${question.family} ${question.recordId}`;
      const answer = gathering.get(same) ?? ask(question);
      gathering.set(same, answer);
      return answer;
    },
  };
}

function parameters(questions: readonly AccessQuestion[]): readonly (readonly (string | number | null)[])[] {
  return [
    questions.map(({ keyHash }) => keyHash),
    questions.map(({ project }) => projectParameter(project)),
    questions.map(({ family }) => family),
    questions.map(({ recordId }) => recordId),
  ];
}

function projectParameter(project: ProjectRef | null): number | null {
  if (project === 'current') return LOWEST;
  return project === LOWEST ? null : project;
}

function inOrder(rows: readonly Cells[], questions: readonly AccessQuestion[]): readonly AccessAnswer[] {
  const answers = new Array<AccessAnswer>(rows.length);
  for (const row of rows) {
    const number = numberAt(row, 0) - 1;
    const question = questions[number];
    if (question !== undefined) answers[number] = answerTo(question, row);
  }
  return answers;
}

function answerTo({ keyHash }: AccessQuestion, row: Cells): AccessAnswer {
  return {
    key: row[1] !== null && isSame(keyHash, textAt(row, 2)) ? grantAt(row) : null,
    projectId: row[8] === null ? null : numberAt(row, 8),
    revision: numberAt(row, 9),
    record: row.length > RECORD ? recordOrNullAt(row, RECORD) : null,
  };
}

function grantAt(row: Cells): KeyGrant {
  return {
    id: numberAt(row, 1),
    label: textAt(row, 3),
    scopes: textAt(row, 4).split(',') as Scope[],
    projectIds: textOrNullAt(row, 5)?.split(',').map(Number) ?? [],
    expiresAt: dateOrNullAt(row, 6),
    revokedAt: dateOrNullAt(row, 7),
  };
}

function isSame(asked: string, found: string): boolean {
  return asked.length === found.length && timingSafeEqual(Buffer.from(asked), Buffer.from(found));
}
