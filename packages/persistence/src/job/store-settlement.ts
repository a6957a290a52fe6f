import type { Job, LockedJob, Settlement } from '@plugin-config/domain';
import type pg from 'pg';
import { numberedRows } from '../postgres/numbered-rows.ts';
import { changeOf } from '../record/change-of.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { ENTRY, entriesIn, entryValues } from '../writing/history-entries.ts';
import { RECORD_CHANGE, SET_CHANGE } from '../writing/record-values.ts';
import { write } from '../writing/write.ts';

const entered = (entries: string): string => `${numberedRows(entries, ENTRY, 'e')} order by e.number`;

/** Stores the change that a job made of its record. */
const CHANGE_RECORD: Statement = {
  name: 'change_record_of_job',
  text: write({
    update: {
      set: SET_CHANGE,
      from: numberedRows('$2', RECORD_CHANGE, 'c'),
      where: 'r.id = $1',
    },
    entries: { from: entered('$3'), record: '$1', ...entriesIn('e') },
    raises: 'records',
    result: 'select from written limit 0',
  }),
};

/** Updates the job, and writes what its record's history says of it. */
const SETTLE_JOB: Statement = {
  name: 'settle_job',
  text: write({
    entries: { from: entered('$4'), record: '$3', ...entriesIn('e') },
    raises: 'answers',
    of: 'f.project_id = $1 and f.family = $2 and json_array_length($4) > 0',
    also: {
      turn: `update job_queue q set due_at = least(q.due_at, statement_timestamp() + $9::bigint * interval '1 millisecond')
    where q.project_id = $1 and $9::bigint is not null`,
    },
    result: `update job j
  set state = $6, attempts = $7, error = $8, finished_at = $10,
    due_at = coalesce(statement_timestamp() + $9::bigint * interval '1 millisecond', j.due_at)
  where j.id = $5 and j.project_id = $1`,
  }),
};

/**
 * Stores the end of a locked job, within the transaction that locks it. If it changes the record, the revision of the family rises
 * twice, and its version once.
 */
export async function storeSettlement(
  client: pg.ClientBase,
  job: Job,
  settlement: Settlement & Pick<LockedJob, 'at' | 'record'>,
): Promise<void> {
  const { projectId, family, id } = job.record;
  const { state, attempts, error, dueInMs, at, record, write: change, activity } = settlement;
  if (change !== null) {
    const [changes, entries] = [[changeOf({ ...change, before: record })], [entryValues(change.activity)]];
    await run(client, CHANGE_RECORD, [id, JSON.stringify(changes), JSON.stringify(entries)]);
  }
  const finishedAt = state === 'queued' ? null : at.toISOString();
  await run(client, SETTLE_JOB, [
    projectId,
    family,
    id,
    JSON.stringify(activity.map(entryValues)),
    job.id,
    state,
    attempts,
    error,
    dueInMs,
    finishedAt,
  ]);
}
