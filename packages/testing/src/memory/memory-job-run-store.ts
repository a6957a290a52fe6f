import {
  describeStart,
  MAX_ATTEMPTS,
  recordNotFound,
  type Claim,
  type HeldJob,
  type Job,
  type JobRunStore,
  type Settlement,
  type StoredConfiguration,
} from '@plugin-config/domain';
import { raiseRevision, remember } from './family-changes.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryState, StoredJob } from './memory-state.ts';
import { saveIn } from './save-in.ts';
import { configurationOf, recordOf } from './stored-records.ts';
import { writeLine } from './stored-lines.ts';

export function memoryJobRunStore(db: MemoryDatabase): JobRunStore {
  return {
    claim: (claim) => db.change((state) => claimIn(state, claim)),

    configuration: async ({ record }) => found(configurationOf(db.state, record)),

    settle: (job, decide) =>
      db.change(async (state) => {
        const stored = state.jobs.get(job.id)?.job;
        if (stored?.state !== 'running' || stored.attempts !== job.attempts) return false;
        settleIn(state, stored, await decide(heldIn(state, stored)));
        return true;
      }),

    waiting: async () => {
      const states = [...db.state.jobs.values()].map(({ job }) => job.state);
      const inState = (wanted: Job['state']): number => states.filter((state) => state === wanted).length;
      return { queued: inState('queued'), running: inState('running') };
    },
  };
}

function claimIn(state: MemoryState, { at, leaseMs }: Claim): Job | null {
  const isDue = ({ job, dueAt, claimedAt }: StoredJob): boolean =>
    (job.state === 'queued' && dueAt <= at) ||
    (job.state === 'running' && claimedAt !== null && claimedAt.getTime() + leaseMs < at.getTime());
  const due = [...state.jobs.values()]
    .filter(isDue)
    .toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime());
  const [stored] = due;
  if (stored === undefined) return null;
  const job: Job = { ...stored.job, state: 'running', attempts: stored.job.attempts + 1, startedAt: at };
  state.jobs.set(job.id, { ...stored, job, claimedAt: at });
  writeLine(state, job.record, describeStart(job));
  return job;
}

function heldIn(state: MemoryState, { record }: Job): HeldJob {
  return {
    record: found(recordOf(state, record)),
    configuration: async (plugin) => configurationOf(state, record, plugin),
  };
}

function settleIn(state: MemoryState, job: Job, settlement: Settlement): void {
  const { state: reached, error, dueAt, at, decision, activity, lines } = settlement;
  const finishedAt = reached === 'queued' ? null : at;
  const attempts = Math.min(job.attempts, MAX_ATTEMPTS);
  const settled: Job = { ...job, state: reached, attempts, error, finishedAt };
  state.jobs.set(job.id, { job: settled, dueAt: dueAt ?? at, claimedAt: null });
  if (decision !== null) saveIn(state, { before: found(recordOf(state, job.record)), ...decision });
  for (const entry of activity) remember(state, job.record, entry);
  if (activity.length > 0) raiseRevision(state, job.record);
  for (const line of lines) writeLine(state, job.record, line);
}

function found<T extends StoredConfiguration | HeldJob['record']>(value: T | null): T {
  if (value === null) throw recordNotFound();
  return value;
}
