import type { AccessAnswer, AccessProbe, AccessQuestion } from '@plugin-config/domain';
import { batching } from '../postgres/batching.ts';
import type { Database } from '../postgres/database.ts';
import { askAboutAll } from './ask-about-all.ts';
import { askAboutFamilies, isAboutFamily, type FamilyQuestion } from './ask-about-families.ts';

const LANES = 2;
const MOST = 256;
/** Of the records that one statement brings, as far as the latest answers tell. */
const MOST_BYTES = 8 * 1024 * 1024;
const LEAST_BYTES = 1024;
const FORGETTING = 0.9;
const PATIENCE_MS = 4_000;

/**
 * The questions of a tick about families travel in one statement, those about records and the like in another: a read
 * does not wait for what a write asks. A question only joins a statement that is not sent yet: nothing in an answer is
 * older than its question. Keys take turns.
 */
export function postgresAccessProbe(database: Pick<Database, 'pool'>): AccessProbe {
  const common = {
    lanes: LANES,
    keyOf: ({ keyHash }: AccessQuestion) => keyHash,
    isTooLate: (_: AccessQuestion, waitedMs: number) => waitedMs >= PATIENCE_MS,
  };
  const askFamilies = batching<FamilyQuestion, AccessAnswer>({
    ...common,
    most: MOST,
    send: (questions) => askAboutFamilies(database, questions),
  });
  const size = usualSize();
  const askAll = batching<AccessQuestion, AccessAnswer>({
    ...common,
    most: MOST,
    mostBytes: MOST_BYTES,
    weightOf: size.estimate,
    send: async (questions) => {
      const answers = await askAboutAll(database, questions);
      size.learn(answers);
      return answers;
    },
  });
  return { ask: (question) => (isAboutFamily(question) ? askFamilies(question) : askAll(question)) };
}

/** Estimates what a record brings, its configuration above all: the largest of late, or a little less each time. */
function usualSize() {
  let bytes = MOST_BYTES / 32;
  return {
    estimate: (): number => bytes,
    learn: (answers: readonly AccessAnswer[]): void => {
      const largest = answers.reduce((most, { record }) => Math.max(most, record?.config.length ?? 0), 0);
      bytes = Math.max(largest, bytes * FORGETTING, LEAST_BYTES);
    },
  };
}
