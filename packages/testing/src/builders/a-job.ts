import { NEW_JOB, OPERATOR, type Job, type ListedJob, type RecordRef } from '@plugin-config/domain';
import { MOMENT } from './an-author.ts';

export function aJob({ projectId, family, id }: RecordRef, given: Partial<Job> = {}): Job {
  return {
    ...NEW_JOB,
    id: '01890a5d-ac96-7b62-8d5c-1f0a3c9d2e4b',
    record: { projectId, family, id },
    work: {},
    actor: OPERATOR,
    requestId: null,
    createdAt: MOMENT,
    ...given,
  };
}

/** Returns the job as lists show it. */
export function listed({ work: _work, ...job }: Job): ListedJob {
  return job;
}
