import type { Family, ListedJob } from '@plugin-config/domain';
import { JobRow } from '../entities/job.row.ts';
import { columns } from '../postgres/columns.ts';
import { rowOf } from '../postgres/table.ts';
import { withActor } from '../postgres/with-actor.ts';

const ROW = rowOf(JobRow, 'j', ['work', 'output', 'family', 'taskId', 'openAt']);

/** The record of a check. */
export const NO_RECORD = 0;

/** The columns of a job `j` and of its record `r`. */
export const JOB = columns((row): ListedJob => {
  const { projectId, recordId: id, ...job } = withActor(row.all(ROW));
  return { ...job, record: { projectId, family: row.text('r.family') as Family, id: id ?? NO_RECORD } };
});
