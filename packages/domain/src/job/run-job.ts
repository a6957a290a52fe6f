import type { Author, NewActivity } from '../activity/activity-entry.ts';
import type { Clock } from '../clock.ts';
import type { RecordChange } from '../config-record/config-record.ts';
import { openConfiguration } from '../config-record/configuration.ts';
import { decideUpdate, type Attaching } from '../config-record/update-record.ts';
import type { Decision } from '../config-record/store-change.ts';
import { DomainError, isPassing } from '../domain-error.ts';
import { storableText } from '../ingestion/storable-text.ts';
import { isLogWord } from '../log-entry/log-entry.ts';
import { MAX_ATTEMPTS, pauseAfter, type Job } from './job.ts';
import type { JobHandler, JobLine } from './job-handler.ts';
import type { HeldJob, JobRunStore, Settlement } from './job-run-store.ts';

interface Dependencies extends Attaching {
  readonly jobs: JobRunStore;
  readonly handlers: readonly JobHandler[];
  readonly clock: Clock;
}

/** What a try came to: a change of the record, or what it failed of. */
type Outcome =
  | { readonly change: RecordChange; readonly lines: readonly JobLine[] }
  | { readonly error: string; readonly refused: boolean };

/** One try of a claimed job. Its effect and its end are stored in one step, and only while the claim stands. */
export async function runJob(dependencies: Dependencies, job: Job): Promise<void> {
  const outcome = await attempt(dependencies, job);
  await dependencies.jobs.settle(job, (held) => settle(dependencies, job, outcome, held));
}

async function attempt({ jobs, handlers, secretBox }: Dependencies, job: Job): Promise<Outcome> {
  if (job.attempts > MAX_ATTEMPTS) return { error: 'Its worker was lost at the last try.', refused: true };
  if (job.work.kind === 'change') return { change: job.work.change, lines: [] };
  const { task } = job.work;
  const handler = handlers.find(({ type }) => type === task.type);
  if (handler === undefined)
    return { error: `No handler for jobs of the type "${task.type}".`, refused: false };
  try {
    const stored = await jobs.configuration(job);
    const configuration = openConfiguration(stored, secretBox);
    const { change = {}, lines = [] } = await handler.run({
      job,
      task,
      record: stored.record,
      configuration,
    });
    return { change, lines };
  } catch (error) {
    return failure(error);
  }
}

async function settle(
  { clock, ...attaching }: Dependencies,
  job: Job,
  outcome: Outcome,
  { record, configuration }: HeldJob,
): Promise<Settlement> {
  const author: Author = { actor: job.actor, requestId: job.requestId, at: clock.now() };
  if ('error' in outcome) return failed(job, outcome, author);
  try {
    const decision = await decideUpdate(attaching, record, { change: outcome.change, author, configuration });
    return succeeded(author, decision, outcome.lines);
  } catch (error) {
    return failed(job, failure(error), author);
  }
}

function succeeded(author: Author, decision: Decision | null, lines: readonly JobLine[]): Settlement {
  const done: NewActivity = { ...author, activity: 'job_succeeded', changes: [] };
  return {
    state: 'succeeded',
    error: null,
    dueAt: null,
    at: author.at,
    decision,
    activity: [done],
    lines: [...lines.map(writable), { type: 'INFO', message: 'Job succeeded' }],
  };
}

function failed(
  job: Job,
  { error, refused }: { error: string; refused: boolean },
  author: Author,
): Settlement {
  const pause = refused ? null : pauseAfter(job.attempts);
  const settlement = { error, at: author.at, decision: null };
  if (pause !== null) {
    const message = `Job failed, to be tried again in ${pause / 1000} s: ${error}`;
    const dueAt = new Date(author.at.getTime() + pause);
    return { ...settlement, state: 'queued', dueAt, activity: [], lines: [{ type: 'WARN', message }] };
  }
  const entry: NewActivity = { ...author, activity: 'job_failed', changes: [] };
  const lines = [{ type: 'ERROR', message: `Job failed: ${error}` }];
  return { ...settlement, state: 'failed', dueAt: null, activity: [entry], lines };
}

/** What the rules refuse, they refuse again; anything else may pass. */
function failure(error: unknown): { readonly error: string; readonly refused: boolean } {
  const passing = !(error instanceof DomainError) || isPassing(error);
  return { error: storableText(error instanceof Error ? error.message : String(error)), refused: !passing };
}

/** Nothing is lost of a handler's line for the sake of its type. */
function writable({ type, message }: JobLine): JobLine {
  return { type: isLogWord(type) ? type : 'LOG', message: storableText(message) };
}

export function describeStart(job: Job): JobLine {
  if (job.attempts > MAX_ATTEMPTS)
    return { type: 'WARN', message: 'Job taken from its lost worker, to be given up' };
  const what = job.work.kind === 'change' ? 'change of the record' : job.work.task.type;
  return { type: 'INFO', message: `Job started: ${what} (try ${job.attempts})` };
}
