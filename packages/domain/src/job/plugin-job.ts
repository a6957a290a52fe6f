import { rejectAll } from '../configuration/reject-each.ts';
import { DomainError, invalidInput } from '../kernel/domain-error.ts';
import { checkJson, type Json, type JsonObject } from '../kernel/json.ts';
import type { JsonSchemas } from '../kernel/json-schemas.ts';
import type { Plugin } from '../plugin/plugin.ts';
import { CHECK, JOB_LIMITS, JOB_TYPE, type Family, type ResultState } from '../vocabulary/vocabulary.ts';
import { backOffAfter, type Job, type ListedJob, type PluginWork } from './job.ts';

/** A task for the plugin of a record, as a caller queues it. */
export interface PluginTask {
  readonly type: string;
  readonly payload: Json;
  readonly operation: string | null;
}

/** The jobs of one type that runtimes of one plugin take. */
export interface Lane {
  readonly family: Family;
  readonly plugin: number;
  readonly type: string;
}

const TYPE = new RegExp(`^${JOB_TYPE}$`);
const TIMEOUT_SECONDS = 3600;
const CHECK_TIMEOUT_SECONDS = 60;
/** How long a check waits for a runtime. Somebody is waiting for it. */
export const CHECK_UNCLAIMED_MS = 60_000;

export function laneText({ family, plugin, type }: Lane): string {
  return `${family} ${plugin} ${type}`;
}

export function parseLane(text: string): Lane {
  const [family, plugin, type] = text.split(' ');
  return { family: family as Family, plugin: Number(plugin), type: type as string };
}

interface Attached {
  readonly id: number;
  /** Null if it is not registered: then its runtimes may take jobs of any type. */
  readonly plugin: Plugin | null;
  readonly jsonSchemas: JsonSchemas;
}

/** What a job of a plugin has and a change has not. */
export interface PluginJobFields extends Pick<Job, 'plugin' | 'timeoutSeconds'> {
  readonly work: PluginWork;
  readonly type: string;
}

/** @throws DomainError if the plugin does not take such a job */
export function pluginJob(
  { type, payload, operation }: PluginTask,
  { id, plugin, jsonSchemas }: Attached,
): PluginJobFields {
  const declared = plugin?.jobs?.find((one) => one.type === type);
  const isTaken = plugin === null ? TYPE.test(type) && type !== CHECK : declared !== undefined;
  if (!isTaken) throw unknownType(plugin);
  checkJson(payload, 'job.payload', JOB_LIMITS.bytes);
  const { payloadSchema, timeoutSeconds = TIMEOUT_SECONDS } = declared ?? {};
  if (payloadSchema !== undefined) {
    rejectAll(jsonSchemas.errors(payloadSchema, payload, 'job.payload'));
  }
  return { work: { payload, operation }, plugin: id, type, timeoutSeconds };
}

function unknownType(plugin: Plugin | null): DomainError {
  const types = (plugin?.jobs ?? []).map(({ type }) => type).join(', ');
  const message = `The plugin takes no jobs of this type.${types === '' ? '' : ` Its types: ${types}.`}`;
  return invalidInput('job.type', message);
}

export function checkJob(plugin: number, config: JsonObject): PluginJobFields {
  return { work: { config }, plugin, type: CHECK, timeoutSeconds: CHECK_TIMEOUT_SECONDS };
}

/** What a runtime says of a job that it has taken. */
export interface JobResult {
  readonly instance: string;
  readonly state: ResultState;
  readonly output: Json;
  readonly error: string | null;
  /** Whether a job that failed is tried again. */
  readonly retry: boolean;
}

export interface LockedPluginJob {
  readonly job: ListedJob;
  readonly output: Json;
  /** The plugin of its record; null if the record is deleted. For a check, that of the check. */
  readonly currentPlugin: number | null;
  /** Whether a runtime has it, but for too long. */
  readonly isLeaseOver: boolean;
  /** Whether nobody has taken it for too long. */
  readonly isUnclaimed: boolean;
}

export interface PluginJobEnd {
  readonly state: Exclude<Job['state'], 'running'>;
  readonly error: string | null;
  readonly output: Json;
  /** When a queued job is open again. */
  readonly dueInMs: number | null;
}

/**
 * Decides what the result of a runtime does. Returns null if it has been stored before.
 * @throws DomainError `lease_lost` if somebody else has the job, or it has ended otherwise
 */
export function decideResult(locked: LockedPluginJob, result: JobResult): PluginJobEnd | null {
  const { job } = locked;
  const end = endOf(job, result);
  if (job.instance !== result.instance) throw leaseLost();
  if (job.state !== 'running' && isSameEnd(locked, end)) return null;
  if (job.finishedAt !== null || locked.currentPlugin !== job.plugin) throw leaseLost();
  return end;
}

function endOf(job: ListedJob, { state, output, error, retry }: JobResult): PluginJobEnd {
  if (state === 'succeeded') return { state, error: null, output, dueInMs: null };
  const dueInMs = retry && !job.cancelling ? nextAttempt(job) : null;
  return {
    state: job.cancelling ? 'cancelled' : dueInMs === null ? 'failed' : 'queued',
    error,
    output: dueInMs === null ? output : null,
    dueInMs,
  };
}

/** Returns the delay of the next attempt; null if there is none. A check has one attempt. */
function nextAttempt({ type, attempts }: ListedJob): number | null {
  return type === CHECK ? null : backOffAfter(Math.max(1, attempts));
}

function isSameEnd({ job, output }: LockedPluginJob, end: PluginJobEnd): boolean {
  return (
    job.state === end.state &&
    job.error === end.error &&
    JSON.stringify(output) === JSON.stringify(end.output)
  );
}

const STOPPED = 'The runtime did not end the job in time.';
const NOT_TAKEN = 'No runtime took the job.';
const DELETED = 'The record was deleted.';
const OTHER_PLUGIN = 'The record has another plugin now.';

/** Decides what becomes of a job that no runtime has ended. Returns null if it stays as it is. */
export function decideOverdue({
  job,
  currentPlugin,
  isLeaseOver,
  isUnclaimed,
}: LockedPluginJob): PluginJobEnd | null {
  if (job.finishedAt !== null) return null;
  const end = (state: PluginJobEnd['state'], error: string, dueInMs: number | null = null): PluginJobEnd => ({
    state,
    error,
    output: null,
    dueInMs,
  });
  if (currentPlugin === null) return end('failed', DELETED);
  if (currentPlugin !== job.plugin) return end('failed', OTHER_PLUGIN);
  if (isLeaseOver) {
    if (job.cancelling) return end('cancelled', STOPPED);
    const dueInMs = nextAttempt(job);
    return end(dueInMs === null ? 'failed' : 'queued', STOPPED, dueInMs);
  }
  return isUnclaimed ? end('failed', NOT_TAKEN) : null;
}

export function leaseLost(): DomainError {
  return new DomainError('lease_lost', 'The job has ended, or another runtime has it.');
}
