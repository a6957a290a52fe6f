import type { ClaimedJob, Family, JobState, JobWork } from '@plugin-config/domain';
import { dateAt, dateOrNullAt, numberAt, textAt, textOrNullAt } from '../postgres/cells.ts';
import type { Cells } from '../postgres/statement.ts';

/** A job `j` and the record `r` that it is of. */
export const JOB_COLUMNS = `j.id, j.work, j.state, j.attempts, j.error, j.actor_key_id, j.actor_label, j.request_id,
  j.created_at, j.started_at, j.finished_at, r.project_id, r.family, r.id, j.claims`;

const parse: (work: string) => JobWork = JSON.parse;

/** The job whose columns begin at `at`. */
export function jobAt(cells: Cells, at: number): ClaimedJob {
  return {
    id: textAt(cells, at),
    work: parse(textAt(cells, at + 1)),
    state: textAt(cells, at + 2) as JobState,
    attempts: numberAt(cells, at + 3),
    error: textOrNullAt(cells, at + 4),
    actor: { keyId: cells[at + 5] === null ? null : numberAt(cells, at + 5), label: textAt(cells, at + 6) },
    requestId: textOrNullAt(cells, at + 7),
    createdAt: dateAt(cells, at + 8),
    startedAt: dateOrNullAt(cells, at + 9),
    finishedAt: dateOrNullAt(cells, at + 10),
    record: {
      projectId: numberAt(cells, at + 11),
      family: textAt(cells, at + 12) as Family,
      id: numberAt(cells, at + 13),
    },
    claim: numberAt(cells, at + 14),
  };
}
