import {
  checkPrecondition,
  describeCancellation,
  isCancellable,
  notFound,
  tooManyJobs,
  UNFINISHED_JOBS_MAX,
  utf8Length,
  type Job,
  type JobStore,
  type Precondition,
  type RecordRef,
} from '@plugin-config/domain';
import { raiseRevision, addActivity } from './family-changes.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryState } from './memory-state.ts';
import { onceIn } from './once-in.ts';
import { pageOf } from './page-of.ts';
import { asConfiguredNow, storedRecord } from './stored-records.ts';

export function memoryJobStore(db: MemoryDatabase): JobStore {
  return {
    queue: (job, precondition) => db.change((state) => queueIn(state, job, { precondition, now: db.now })),

    queueOnce: ({ job, answer, precondition, key }) =>
      db.change((state) => {
        const { now } = db;
        const queued = onceIn(state, { family: job.record, actor: job.actor, key, now }, () => {
          queueIn(state, job, { precondition, now });
          return answer;
        });
        const { jobId, record } = queued.value;
        return { ...queued, value: { jobId, record: asConfiguredNow(state, record) } };
      }),

    find: async (record, id) => {
      const job = db.state.jobs.get(id)?.job;
      return job !== undefined && isOf(record, job) ? job : null;
    },

    page: async (record, { state }, page) => {
      const jobs = [...db.state.jobs.values()]
        .map(({ job }) => job)
        .filter((job) => isOf(record, job) && (state === null || job.state === state))
        .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
        .map(({ work: _work, ...job }) => job);
      return pageOf(jobs, page, ({ error }) => utf8Length(error ?? ''));
    },

    cancel: (record, id, author) =>
      db.change((state) => {
        const stored = state.jobs.get(id);
        if (stored === undefined || !isOf(record, stored.job)) return null;
        const found = stored.job.state;
        if (!isCancellable(found)) return found;
        state.jobs.set(id, { ...stored, job: { ...stored.job, state: 'cancelled', finishedAt: db.now } });
        addActivity(state, record, describeCancellation(author));
        raiseRevision(state, record);
        return found;
      }),
  };
}

function queueIn(
  state: MemoryState,
  job: Job,
  { precondition, now }: { readonly precondition: Precondition; readonly now: Date },
): void {
  const stored = storedRecord(state, job.record);
  if (stored === null) throw notFound();
  checkPrecondition(precondition, stored.record.version);
  if (unfinishedIn(state, job.record) >= UNFINISHED_JOBS_MAX) throw tooManyJobs();
  const { actor, requestId, createdAt: at } = job;
  state.jobs.set(job.id, { job, dueAt: now, claims: 0 });
  addActivity(state, job.record, { activity: 'job_queued', actor, requestId, at, changes: [] });
  raiseRevision(state, job.record);
}

function unfinishedIn({ jobs }: MemoryState, { projectId }: RecordRef): number {
  return [...jobs.values()].filter(({ job }) => job.record.projectId === projectId && job.finishedAt === null)
    .length;
}

function isOf({ projectId, family, id }: RecordRef, { record }: Job): boolean {
  return record.projectId === projectId && record.family === family && record.id === id;
}
