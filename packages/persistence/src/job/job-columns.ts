import type { Family, ListedJob } from '@plugin-config/domain';
import { JobRow } from '../entities/job.row.ts';
import { columns } from '../postgres/columns.ts';
import { rowOf } from '../postgres/table.ts';
import { withActor } from '../postgres/with-actor.ts';

const ROW = rowOf(JobRow, 'j', ['work', 'output', 'family', 'taskId', 'openAt']);

/** Stands for the record of a check, which has none. */
export const NO_RECORD = 0;

/** The columns of a job `j`, and the family of its record `r`. */
export const JOB = columns((row): ListedJob => {
  const { projectId, recordId: id, ...job } = withActor(row.all(ROW));
  return { ...job, record: { projectId, family: row.text('r.family') as Family, id: id ?? NO_RECORD } };
});

/** Instead of a join of the record `r`, which a check does not have: the family that a job of a plugin has itself. */
export const OWN_FAMILY = 'cross join lateral (select j.family) r (family)';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be the id of a job. PostgreSQL fails on any other text. */
export const isJobId = (id: string): boolean => UUID.test(id);
