import type { Family, ListedJob } from '@plugin-config/domain';
import { JobRow } from '../entities/job.row.ts';
import { columns } from '../postgres/columns.ts';
import { rowOf } from '../postgres/table.ts';
import { withActor } from '../postgres/with-actor.ts';

const ROW = rowOf(JobRow, 'j', ['work']);

/** The columns of a job `j` and of its record `r`. */
export const JOB = columns((row): ListedJob => {
  const { projectId, recordId: id, ...job } = withActor(row.all(ROW));
  return { ...job, record: { projectId, family: row.text('r.family') as Family, id } };
});
