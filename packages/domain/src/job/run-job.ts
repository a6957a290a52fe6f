import type { Interruption } from '@plugin-config/flow';
import type { NewActivity } from '../activity/activity-entry.ts';
import type { Author } from '../kernel/author.ts';
import type { RecordChange } from '../record/config-record.ts';
import type { ConfigurationValues } from '../record/configured-record.ts';
import { decideUpdate, type AttachDependencies } from '../record/update-record.ts';
import type { PlannedWrite } from '../record/config-record-store.ts';
import { DomainError, isTransient, notFound } from '../kernel/domain-error.ts';
import type { JsonObject } from '../kernel/json.ts';
import { storableText } from '../log/storable-text.ts';
import { isLogWord } from '../log/log-entry.ts';
import type { HandlerRuns } from './handler-runs.ts';
import { MAX_ATTEMPTS, backOffAfter, PutBack, backOffAfterPutBack } from './job.ts';
import type { JobHandler, JobLine } from './job-handler.ts';
import type { ClaimedJob, LockedJob, JobRunStore, Settlement } from './job-run-store.ts';

interface Dependencies extends AttachDependencies {
  readonly jobs: JobRunStore;
  readonly configurationValues: ConfigurationValues;
  readonly handlers: readonly JobHandler[];
  readonly handlerRuns: HandlerRuns;
}

/** The result of an attempt: a change to the record, or a failure. */
type AttemptResult = { readonly change: RecordChange; readonly lines: readonly JobLine[] } | Failure;

interface Failure {
  readonly error: string;
  /** `pauseMs` is the delay of the next attempt, if this one does not count. */
  readonly next: 'give up' | 'try again' | { readonly pauseMs: number };
}

const KEY_REVOKED: Failure = { error: 'The API key that queued the job was revoked.', next: 'give up' };

/**
 * Runs one attempt of a claimed job. Its effect and its end are stored in one step, and only while the claim is
 * current. When the signal is aborted, the handler is abandoned, and the attempt fails with the reason of the signal.
 * Resolves to the new state of the job, or null if the claim was no longer current.
 */
export async function runJob(
  dependencies: Dependencies,
  job: ClaimedJob,
  signal: Interruption,
): Promise<Settlement['state'] | null> {
  const result = await attempt(dependencies, job, signal);
  const settled: Settlement['state'][] = [];
  const isCurrent = await dependencies.jobs.settle(job, async (locked) => {
    const settlement = await settle(dependencies, job, result, locked);
    settled.push(settlement.state);
    return settlement;
  });
  return isCurrent ? (settled.at(-1) ?? null) : null;
}

async function attempt(
  { configurationValues, handlers, handlerRuns }: Dependencies,
  job: ClaimedJob,
  signal: Interruption,
): Promise<AttemptResult> {
  if (job.attempts > MAX_ATTEMPTS)
    return { error: 'The worker stopped during the last attempt.', next: 'give up' };
  if (job.isKeyRevoked) return KEY_REVOKED;
  if (job.work instanceof Error) return failure(job, job.work);
  if (job.work.kind === 'change') return { change: job.work.change, lines: [] };
  const { task } = job.work;
  const handler = handlers.find(({ type }) => type === task.type);
  if (handler === undefined)
    return { error: `No handler is registered for jobs of type "${task.type}".`, next: 'try again' };
  try {
    const stored = await configurationValues.of(job.record);
    if (stored === null) throw notFound();
    const run = { job, task, record: stored.record, configuration: parseValues(stored.values) };
    const { change = {}, lines = [] } = await handlerRuns.run(handler, run, signal);
    return { change, lines };
  } catch (error) {
    return failure(job, error);
  }
}

const parseValues: (text: string) => JsonObject = JSON.parse;

async function settle(
  dependencies: Dependencies,
  job: ClaimedJob,
  result: AttemptResult,
  { record, isKeyRevoked, at, registration }: LockedJob,
): Promise<Settlement> {
  const author: Author = { actor: job.actor, requestId: job.requestId, at };
  if (isKeyRevoked) return failed(job, KEY_REVOKED, author);
  if ('error' in result) return failed(job, result, author);
  try {
    const write = await decideUpdate(dependencies, record, { change: result.change, author, registration });
    return succeeded(job, author, write, result.lines);
  } catch (error) {
    return failed(job, failure(job, error), author);
  }
}

function succeeded(
  { attempts }: ClaimedJob,
  author: Author,
  write: PlannedWrite | null,
  lines: readonly JobLine[],
): Settlement {
  const done: NewActivity = { ...author, activity: 'job_succeeded', changes: [] };
  return {
    state: 'succeeded',
    attempts,
    error: null,
    dueInMs: null,
    write,
    activity: [done],
    lines: [...lines.map(writable), { type: 'INFO', message: 'Job succeeded' }],
  };
}

function failed(job: ClaimedJob, { error, next }: Failure, author: Author): Settlement {
  if (typeof next === 'object') {
    const { pauseMs } = next;
    const message = `Job put back, retrying ${inSeconds(pauseMs)}: ${error}`;
    return waiting({ error, attempts: job.attempts - 1, dueInMs: pauseMs, message });
  }
  const pause = next === 'give up' ? null : backOffAfter(job.attempts);
  if (pause !== null) {
    const message = `Job failed, retrying ${inSeconds(pause)}: ${error}`;
    return waiting({ error, attempts: job.attempts, dueInMs: pause, message });
  }
  return {
    state: 'failed',
    attempts: Math.min(job.attempts, MAX_ATTEMPTS),
    error,
    dueInMs: null,
    write: null,
    activity: [{ ...author, activity: 'job_failed', changes: [] }],
    lines: [{ type: 'ERROR', message: `Job failed: ${error}` }],
  };
}

interface Waiting extends Pick<Settlement, 'error' | 'attempts' | 'dueInMs'> {
  readonly message: string;
}

function waiting({ message, ...ended }: Waiting): Settlement {
  return { ...ended, state: 'queued', write: null, activity: [], lines: [{ type: 'WARN', message }] };
}

function inSeconds(milliseconds: number): string {
  return milliseconds === 0 ? 'immediately' : `in ${milliseconds / 1000} s`;
}

/** Domain rejections are final; any other failure may be temporary. */
function failure({ claim, attempts }: ClaimedJob, thrown: unknown): Failure {
  const error = storableText(thrown instanceof Error ? thrown.message : String(thrown));
  if (thrown instanceof PutBack) {
    return { error, next: { pauseMs: thrown.atOnce ? 0 : backOffAfterPutBack(claim - attempts) } };
  }
  if (thrown instanceof DomainError && thrown.code === 'key_missing') {
    return { error, next: { pauseMs: backOffAfterPutBack(claim - attempts) } };
  }
  const isRetryable = !(thrown instanceof DomainError) || isTransient(thrown);
  return { error, next: isRetryable ? 'try again' : 'give up' };
}

/** Replaces an invalid type, to keep the line. */
function writable({ type, message }: JobLine): JobLine {
  return { type: isLogWord(type) ? type : 'LOG', message: storableText(message) };
}

export function describeStart(job: Pick<ClaimedJob, 'attempts' | 'work'>): JobLine {
  if (job.attempts > MAX_ATTEMPTS)
    return { type: 'WARN', message: 'Job reclaimed from a stopped worker, giving up' };
  const which = `(attempt ${job.attempts})`;
  if (job.work instanceof Error)
    return { type: 'WARN', message: `Job started, but cannot be decrypted ${which}` };
  const what = job.work.kind === 'change' ? 'change to the record' : job.work.task.type;
  return { type: 'INFO', message: `Job started: ${what} ${which}` };
}
