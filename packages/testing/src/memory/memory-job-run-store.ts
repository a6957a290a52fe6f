import {
  describeStart,
  jobEntries,
  notFound,
  type ClaimOptions,
  type ClaimedJob,
  type LockedJob,
  type Job,
  type JobRunStore,
  type LineWriter,
  type Settlement,
  type StoredConfiguration,
} from '@plugin-config/domain';
import { raiseRevision, addActivity } from './family-changes.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryState, StoredJob } from './memory-state.ts';
import { changeIn } from './save-in.ts';
import { seededRandomness } from './seeded-randomness.ts';
import { configurationOf, recordOf } from './stored-records.ts';

const INSTANCE_ID = '0197a3f0-1111-7222-8333-944455559999';

export function memoryJobRunStore(db: MemoryDatabase): JobRunStore {
  const writer = { randomness: seededRandomness(), instanceId: INSTANCE_ID };
  return {
    claim: (claim) => db.change((state) => claimIn(state, writer, claim, db.now)),

    configuration: async ({ record }) => found(configurationOf(db.state, record)),

    settle: ({ id, claim }, decide) =>
      db.change(async (state) => {
        const stored = state.jobs.get(id);
        if (stored?.job.state !== 'running' || stored.claims !== claim) return false;
        settleIn(state, writer, stored, {
          ...(await decide(lockedJob(state, stored.job, db.now))),
          at: db.now,
        });
        return true;
      }),

    backlog: async () => {
      const unfinished = [...db.state.jobs.values()].filter(({ job }) => job.finishedAt === null);
      const inState = (wanted: Job['state']): number =>
        unfinished.filter(({ job }) => job.state === wanted).length;
      const waits = unfinished.map(({ dueAt }) => db.now.getTime() - dueAt.getTime());
      return { queued: inState('queued'), running: inState('running'), oldestDueMs: Math.max(0, ...waits) };
    },
  };
}

function claimIn(
  state: MemoryState,
  writer: LineWriter,
  { leaseMs, except }: ClaimOptions,
  now: Date,
): ClaimedJob | null {
  const lastTurn = ({ job }: StoredJob): number => state.turns.get(job.record.projectId) ?? 0;
  const [stored] = [...state.jobs.values()]
    .filter(({ job, dueAt }) => job.finishedAt === null && dueAt <= now)
    .filter(({ job }) => !except.includes(job.record.projectId))
    .toSorted((a, b) => lastTurn(a) - lastTurn(b) || a.dueAt.getTime() - b.dueAt.getTime());
  if (stored === undefined) return null;
  const { projectId } = stored.job.record;
  state.turns.set(projectId, Math.max(0, ...state.turns.values()) + 1);
  const claims = stored.claims + 1;
  const job: Job = { ...stored.job, state: 'running', attempts: stored.job.attempts + 1, startedAt: now };
  state.jobs.set(job.id, { job, claims, dueAt: new Date(now.getTime() + leaseMs) });
  writeLines(state, writer, { job, at: now, lines: [describeStart(job)] });
  return { ...job, claim: claims };
}

function lockedJob(state: MemoryState, { record }: Job, at: Date): LockedJob {
  return {
    record: found(recordOf(state, record)),
    at,
    configuration: async (plugin) => configurationOf(state, record, plugin),
  };
}

function settleIn(
  state: MemoryState,
  writer: LineWriter,
  { job, claims }: StoredJob,
  settlement: Settlement & { readonly at: Date },
): void {
  const { state: reached, attempts, error, dueInMs, write, activity, lines, at } = settlement;
  const finishedAt = reached === 'queued' ? null : at;
  const settled: Job = { ...job, state: reached, attempts, error, finishedAt };
  state.jobs.set(job.id, { job: settled, dueAt: new Date(at.getTime() + (dueInMs ?? 0)), claims });
  if (write !== null) changeIn(state, { before: found(recordOf(state, job.record)), ...write });
  for (const entry of activity) addActivity(state, job.record, entry);
  if (activity.length > 0) raiseRevision(state, job.record);
  writeLines(state, writer, { job, at, lines });
}

interface Lines {
  readonly job: Job;
  readonly at: Date;
  readonly lines: Settlement['lines'];
}

function writeLines(state: MemoryState, writer: LineWriter, { job, at, lines }: Lines): void {
  const record = found(recordOf(state, job.record));
  for (const entry of jobEntries(writer, { record, at, lines }))
    state.outbox.set(entry.id, { entry, dueAt: at });
}

function found<T extends StoredConfiguration | LockedJob['record']>(value: T | null): T {
  if (value === null) throw notFound();
  return value;
}
