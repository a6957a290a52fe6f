import type { JobState, ListedJob, LockedJob, Settlement } from '@plugin-config/domain';
import type pg from 'pg';
import type { Ciphertext } from '../configuration/ciphertext.ts';
import { numberedRows } from '../postgres/numbered-rows.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { ENTRY, entriesIn, entryValues } from '../writing/history-entries.ts';
import { write } from '../writing/write.ts';

/**
 * Updates the job, and adds entries to the history of its record. The end of a check, which has none, increments the version, too. What an
 * ended job had to do is forgotten: it may be large, and secret.
 */
const END_JOB: Statement = {
  name: 'end_job',
  text: write({
    entries: {
      from: `${numberedRows('$4', ENTRY, 'e')} order by e.number`,
      record: '$3',
      ...entriesIn('e'),
    },
    increments: 'family_version',
    of: 'f.project_id = $1 and f.family = $2 and (json_array_length($4) > 0 or $9::timestamptz is not null)',
    result: `update job j
  set state = $6, attempts = $7, error = $8, finished_at = $9, output = $10,
    work = case when $9::timestamptz is null then j.work else '' end,
    open_at = case when j.type is not null and $9::timestamptz is null then clock_timestamp() end
  where j.id = $5 and j.project_id = $1`,
  }),
};

interface End extends Pick<Settlement, 'attempts' | 'error' | 'activity'>, Pick<LockedJob, 'at'> {
  readonly state: JobState;
  /** What a runtime returned. */
  readonly output?: Ciphertext | null;
}

/** Stores the outcome of a job within the transaction that has locked it and its family. */
export async function endJob(
  client: pg.ClientBase,
  { id, record }: Pick<ListedJob, 'id' | 'record'>,
  { state, attempts, error, activity, at, output = null }: End,
): Promise<void> {
  await run(client, END_JOB, [
    record.projectId,
    record.family,
    record.id,
    JSON.stringify(activity.map(entryValues)),
    id,
    state,
    attempts,
    error,
    state === 'queued' ? null : at.toISOString(),
    output,
  ]);
}
