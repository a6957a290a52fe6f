import type { AccessProbe } from '@plugin-config/domain';
import { batching } from '../batching.ts';
import type { Database } from '../database.ts';
import { askAboutAll } from './ask-about-all.ts';
import { askAboutFamilies, isAboutFamily } from './ask-about-families.ts';

const MOST = 256;
const LANES = 2;

/**
 * The questions of a tick travel in one statement. A question only joins a statement that is not sent yet: nothing
 * in an answer is older than its question.
 */
export function postgresAccessProbe(database: Pick<Database, 'pool'>): AccessProbe {
  return {
    ask: batching({
      most: MOST,
      lanes: LANES,
      send: (questions) =>
        questions.every(isAboutFamily)
          ? askAboutFamilies(database, questions)
          : askAboutAll(database, questions),
    }),
  };
}
