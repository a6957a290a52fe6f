import type { JobUpkeep } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { dropInPortions, dropOldRows } from '../postgres/drop-in-portions.ts';

export const DROP_FINISHED_JOBS = dropOldRows('drop_finished_jobs', {
  table: 'job',
  id: 't.id',
  since: 't.finished_at',
  bytes: 'pg_column_size(t.work) + coalesce(pg_column_size(t.error), 0)',
});

export function postgresJobUpkeep({ pool }: Pick<Database, 'pool'>): JobUpkeep {
  return { dropFinished: (ageMs) => dropInPortions(pool, DROP_FINISHED_JOBS, { ageMs, first: '-infinity' }) };
}
