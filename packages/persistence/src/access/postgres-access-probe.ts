import { PATIENCE_MS, type AccessAnswer, type AccessProbe, type AccessQuestion } from '@plugin-config/domain';
import { shareStatements } from '../postgres/share-statements.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { askAboutAll } from './ask-about-all.ts';
import { askAboutFamilies, type FamilyQuestion } from './ask-about-families.ts';
import { KEY } from './key-columns.ts';
import type { Recollection } from '../writing/recollection.ts';

const MAX_CONCURRENT = 2;
const MAX_ITEMS = 256;
/** The maximum bytes of records per statement, estimated from the latest answers. */
const MAX_BYTES = 8 * 1024 * 1024;
const MIN_BYTES = 1024;
const DECAY = 0.9;

const GRANTS: Statement = {
  name: 'grants',
  text: `select ${KEY.sql} from api_key k where k.id = any ($1::bigint[])`,
};

/**
 * Sends the questions of a tick about families in one statement, and all others in another one, so that a read does not
 * wait for the question of a write. A question only joins a statement that is not sent yet: no part of an answer is
 * older than its question. Accounts take turns, and keys whose account is not known yet.
 */
export function postgresAccessProbe(
  database: Pick<EncryptedDatabase, 'pool' | 'primary' | 'configurations'>,
  recollection: Recollection,
): AccessProbe {
  const common = {
    maxConcurrent: MAX_CONCURRENT,
    tenantOf: ({ keyHash }: AccessQuestion) => recollection.accountOf(keyHash) ?? keyHash,
    isTooLate: (_: AccessQuestion, waitedMs: number) => waitedMs >= PATIENCE_MS,
  };
  const askFamilies = shareStatements<FamilyQuestion, AccessAnswer>({
    ...common,
    maxItems: MAX_ITEMS,
    send: async (questions) => {
      const answers = await askAboutFamilies(database, questions);
      recollection.note(questions, answers);
      return answers;
    },
  });
  const size = recordSizeEstimate();
  const askAll = shareStatements<AccessQuestion, AccessAnswer>({
    ...common,
    maxItems: MAX_ITEMS,
    maxBytes: MAX_BYTES,
    bytesOf: size.estimate,
    send: async (questions) => {
      const answers = await askAboutAll(database, questions);
      size.learn(answers);
      recollection.note(questions, answers);
      return answers;
    },
  });
  return {
    ask: (question) => (isAboutFamily(question) ? askFamilies(question) : askAll(question)),
    recall: recollection.recall,
    grants: async (keyIds) => {
      const rows = await run(database.pool, GRANTS, [keyIds]);
      return new Map(rows.map((row) => KEY.read(row).grant).map((grant) => [grant.id, grant]));
    },
  };
}

function isAboutFamily(question: AccessQuestion): question is FamilyQuestion {
  return typeof question.project === 'number' && question.family !== null && question.recordId === null;
}

/** Estimates the size of a record, mainly its configuration: the largest recent one, which decays over time. */
function recordSizeEstimate() {
  let bytes = MAX_BYTES / 32;
  return {
    estimate: (): number => bytes,
    learn: (answers: readonly AccessAnswer[]): void => {
      const largest = answers.reduce((most, { record }) => Math.max(most, record?.config.length ?? 0), 0);
      bytes = Math.max(largest, bytes * DECAY, MIN_BYTES);
    },
  };
}
