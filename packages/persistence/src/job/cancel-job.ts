import {
  describeCancellation,
  isCancellable,
  type Author,
  type JobState,
  type RecordRef,
} from '@plugin-config/domain';
import type { Deadline } from '@plugin-config/flow';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { inTransactionWithin } from '../postgres/in-transaction.ts';
import { prepared, run } from '../postgres/statement.ts';
import { LOCK_FAMILY } from '../writing/lock-families.ts';
import { endJob } from './end-job.ts';
import { openNext } from './open-next.ts';

const LOCKED = columns((row) => ({
  state: row.text('j.state') as JobState,
  isOfPlugin: row.flag('j.type is not null'),
  attempts: row.number('j.attempts'),
  error: row.textOrNull('j.error'),
  at: row.date('clock_timestamp()::timestamptz(3)'),
}));

export const LOCK_JOB_OF_RECORD = prepared('lock_job_of_record')`select ${LOCKED.sql}
  from job j
  join config_record r on r.id = j.record_id and r.family = $2
  where j.id = $4 and j.record_id = $3 and j.project_id = $1
  for no key update of j`;

/** Removes the task of a job that nobody has claimed. Waits for a concurrent claim. */
const REMOVE_TASK = prepared('remove_task_of_job')`delete from task t
  where t.project_id = $1 and t.kind in ('job', 'plugin_job') and t.key = $2 and t.payload = $3 and t.lease_until is null
  returning 1`;

const ASK_TO_STOP = prepared('ask_to_stop')`update job set cancelling = true where id = $1`;

/** Locks the family first, like every writer, so the next statement sees what the previous writer stored. */
export async function cancelJob(
  { pool }: Pick<Database, 'pool'>,
  record: RecordRef,
  id: string,
  author: Author,
  deadline?: Deadline,
): Promise<JobState | 'cancelling' | null> {
  const { projectId, family } = record;
  const cancel = async (client: pg.ClientBase): Promise<JobState | 'cancelling' | null> => {
    if ((await run(client, LOCK_FAMILY, [projectId, family])).length === 0) return null;
    const isRemoved = (await run(client, REMOVE_TASK, [projectId, record.id, id])).length > 0;
    const [row] = await run(client, LOCK_JOB_OF_RECORD, [projectId, family, record.id, id]);
    if (row === undefined) return null;
    const { state, isOfPlugin, ...job } = LOCKED.read(row);
    if (!isRemoved && isOfPlugin && state === 'running') {
      await run(client, ASK_TO_STOP, [id]);
      return 'cancelling';
    }
    if (!isRemoved) return isCancellable(state) ? 'running' : state;
    const activity = [describeCancellation(author)];
    await endJob(client, { id, record }, { ...job, state: 'cancelled', activity });
    if (isOfPlugin) await openNext(client, projectId, record.id);
    return 'queued';
  };
  return inTransactionWithin(pool, { deadline }, cancel);
}
