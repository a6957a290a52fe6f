import type { AccessAnswer, AccessProbe, AccessQuestion } from '@plugin-config/domain';
import { batching } from '../postgres/batching.ts';
import type { Database } from '../postgres/database.ts';
import { askAboutAll } from './ask-about-all.ts';
import { askAboutFamilies, isAboutFamily, type FamilyQuestion } from './ask-about-families.ts';

const LANES = 2;
const MOST_FAMILIES = 256;
/** A record brings its configuration. */
const MOST_RECORDS = 32;
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
    most: MOST_FAMILIES,
    send: (questions) => askAboutFamilies(database, questions),
  });
  const askAll = batching<AccessQuestion, AccessAnswer>({
    ...common,
    most: MOST_RECORDS,
    send: (questions) => askAboutAll(database, questions),
  });
  return { ask: (question) => (isAboutFamily(question) ? askFamilies(question) : askAll(question)) };
}
