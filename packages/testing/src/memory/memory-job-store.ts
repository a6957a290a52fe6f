import { checkPrecondition, recordNotFound, type JobStore } from '@plugin-config/domain';
import { raiseRevision, remember } from './family-changes.ts';
import type { MemoryDatabase } from './memory-database.ts';
import { storedRecord } from './stored-records.ts';

export function memoryJobStore(db: MemoryDatabase): JobStore {
  return {
    queue: (job, precondition) =>
      db.change((state) => {
        const stored = storedRecord(state, job.record);
        if (stored === null) throw recordNotFound();
        checkPrecondition(precondition, stored.record.version);
        const { actor, requestId, createdAt: at } = job;
        state.jobs.set(job.id, { job, dueAt: db.now, claims: 0 });
        remember(state, job.record, { activity: 'job_queued', actor, requestId, at, changes: [] });
        raiseRevision(state, job.record);
      }),

    find: async ({ projectId, family, id: recordId }, id) => {
      const job = db.state.jobs.get(id)?.job;
      if (job === undefined) return null;
      const { record } = job;
      return record.projectId === projectId && record.family === family && record.id === recordId
        ? job
        : null;
    },
  };
}
