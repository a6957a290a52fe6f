import type { KeptAnswerUpkeep } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { dropInPortions, dropOldRows } from '../postgres/drop-in-portions.ts';

export const DROP_KEPT_ANSWERS = dropOldRows('drop_kept_answers', {
  table: 'kept_answer',
  id: 't.name',
  since: 't.kept_at',
  bytes: 'pg_column_size(t.answer)',
});

export function postgresKeptAnswerUpkeep({ pool }: Pick<Database, 'pool'>): KeptAnswerUpkeep {
  return { dropOld: (ageMs) => dropInPortions(pool, DROP_KEPT_ANSWERS, { ageMs, first: '-infinity' }) };
}
