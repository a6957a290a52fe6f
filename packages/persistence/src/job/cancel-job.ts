import type { Author, JobState, RecordRef } from '@plugin-config/domain';
import type { Patience } from '@plugin-config/flow';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { LOCK_FAMILY } from '../writing/lock-families.ts';
import { write } from '../writing/write.ts';

const FOUND = columns((row) => ({ state: row.text('f.state') as JobState }));

/**
 * Locks the job: it waits for a claim of the job, and sees the result. The turn of the project stays; a worker that takes
 * it finds no job.
 */
export const CANCEL_JOB: Statement = {
  name: 'cancel_job',
  text: write({
    first: {
      found: `select j.id, j.record_id, j.state
    from job j
    join config_record r on r.id = j.record_id and r.family = $2
    where j.id = $4 and j.record_id = $3 and j.project_id = $1
    for no key update of j`,
      cancelled: `update job j set state = 'cancelled', finished_at = statement_timestamp()
    from found f where j.id = f.id and f.state = 'queued'
    returning j.record_id`,
    },
    entries: {
      from: 'cancelled c',
      record: 'c.record_id',
      activity: `'job_cancelled'`,
      at: '$5',
      author: '$6, $7, $8',
      changes: `'[]'`,
    },
    raises: 'answers',
    of: 'f.project_id = $1 and f.family = $2 and exists (select from cancelled)',
    result: `select ${FOUND.sql} from found f`,
  }),
};

/**
 * Locks the family first, as every writer does: the next statement sees the history as the writer before has left it.
 * Waits for the family, so the connections for it are limited per project.
 */
export async function cancelJob(
  { pool, limitSlow }: Pick<Database, 'pool' | 'limitSlow'>,
  { projectId, family, id: recordId }: RecordRef,
  id: string,
  { actor, at, requestId }: Author,
  patience?: Patience,
): Promise<JobState | null> {
  const author = [at.toISOString(), actor.keyId, actor.label, requestId];
  const values = [projectId, family, recordId, id, ...author];
  const cancel = async (client: pg.ClientBase) => {
    await run(client, LOCK_FAMILY, [projectId, family]);
    return run(client, CANCEL_JOB, values);
  };
  const [row] = await limitSlow(projectId, () => inTransaction(pool, 'begin', cancel), patience);
  return row === undefined ? null : FOUND.read(row).state;
}
