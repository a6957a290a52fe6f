import { PluginConfigError } from '../http/error.ts';
import { pauseMs, sleep, unlessAborted, type Pauses } from '../http/retry.ts';
import type { ClaimedJob, Json, JobRenewal, JobResult } from '../wire.ts';
import { isAccessDenied, isTemporary } from './connection.ts';
import type { JobsConnection } from './jobs-connection.ts';
import type { JobHandler } from './plugin-job.ts';
import { ERROR_MAX, storable } from './storable.ts';

export interface JobSurroundings {
  readonly service: Pick<JobsConnection, 'renew' | 'end'>;
  readonly leaseSeconds: number;
  readonly pauses: Pauses;
  /** Aborted when the runtime closes. */
  readonly closing: AbortSignal;
  /** Aborted when it does not wait for handlers any more. */
  readonly abandoned: AbortSignal;
  readonly onError: (thrown: unknown) => void;
}

/** A job from its claim to its result. */
export interface JobAttempt {
  /** Resolves when the runtime is done with it. */
  readonly ended: Promise<void>;
  /** Gives it up, because the runtime has claimed the job again. */
  lose(): void;
}

type Result = Omit<JobResult, 'instance'>;

const RENEWALS_PER_LEASE = 3;
const PROGRESS_PAUSE_MS = 1_000;
/** The service rejects longer messages. */
const MESSAGE_MAX = 1_000;

/** Runs the handler of a job, keeps the lease meanwhile, and sends the result. */
export function runJob(surroundings: JobSurroundings, job: ClaimedJob, handler: JobHandler): JobAttempt {
  const { service, leaseSeconds, pauses, closing, abandoned, onError } = surroundings;
  const leaseMs = leaseSeconds * 1000;
  const renewAfterMs = leaseMs / RENEWALS_PER_LEASE;
  const stopped = new AbortController();
  const lost = new AbortController();
  const settled = new AbortController();
  const signal = AbortSignal.any([closing, stopped.signal, lost.signal]);
  const sending = AbortSignal.any([abandoned, lost.signal]);
  const keeping = AbortSignal.any([sending, settled.signal]);
  let leaseEndsAt = performance.now() + leaseMs;
  let isLeaseOver = false;
  let hasResult = false;
  let shown: Pick<JobRenewal, 'progress' | 'message'> = {};
  let isNews = false;
  let waking = new AbortController();

  const progress = (done: number, message?: string): void => {
    const known = message === undefined ? shown.message : storable(message, MESSAGE_MAX);
    shown = { progress: Math.min(1, Math.max(0, done || 0)), message: known };
    isNews = true;
    waking.abort();
  };

  const renew = async (): Promise<void> => {
    const sentAt = performance.now();
    isNews = false;
    const { cancelled } = await service.renew(
      job.id,
      { ...shown, lease_seconds: leaseSeconds },
      { signal: keeping, leftMs: leaseEndsAt - sentAt },
    );
    leaseEndsAt = sentAt + leaseMs;
    if (cancelled) stopped.abort(abortion('The job was cancelled.'));
  };

  const keepLease = async (): Promise<void> => {
    let shortestMs = 0;
    let longestMs = renewAfterMs;
    for (let failures = 0; ;) {
      await sleep(shortestMs, keeping);
      waking = new AbortController();
      const isWoken = AbortSignal.any([keeping, waking.signal]);
      if (!isNews) await sleep(longestMs - shortestMs, isWoken).catch(() => keeping.throwIfAborted());
      if (performance.now() >= leaseEndsAt) {
        isLeaseOver = true;
        stopped.abort(abortion('The lease of the job could not be renewed.'));
        return;
      }
      try {
        await renew();
        failures = 0;
        longestMs = renewAfterMs;
        shortestMs = Math.min(PROGRESS_PAUSE_MS, longestMs);
      } catch (error) {
        if (!(error instanceof PluginConfigError)) throw error;
        // The service may have the result already. If not, the response to the result says so, too.
        if (hasResult && isGone(error)) return;
        onError(error);
        if (isGone(error)) return lost.abort(abortion('Another runtime may have the job.'));
        const leftMs = Math.max(0, leaseEndsAt - performance.now());
        shortestMs = longestMs = Math.min(pauseMs(error, ++failures, pauses), leftMs);
      }
    }
  };

  const outcome = async (): Promise<Result> => {
    try {
      signal.throwIfAborted();
      const output = jsonOf(await handler({ ...job, signal, progress }));
      return { state: 'succeeded', output };
    } catch (error) {
      const retry = isRetry(error) || (closing.aborted && signal.reason === closing.reason);
      if (!retry && !signal.aborted) onError(error);
      return { state: 'failed', error: storable(error, ERROR_MAX), retry };
    }
  };

  /** Sends the result until the service has it or nobody wants it. */
  const send = async (first: Result): Promise<void> => {
    let result = first;
    for (let failures = 0; ;) {
      try {
        await service.end(job.id, result, sending);
        return;
      } catch (error) {
        if (!(error instanceof PluginConfigError)) throw error;
        onError(error);
        if (isTemporary(error) || error.code === 'unreadable')
          await sleep(pauseMs(error, ++failures, pauses), sending);
        else if (isGone(error) || isAccessDenied(error) || result.state === 'failed') return;
        else result = { state: 'failed', error: storable(error.detail, ERROR_MAX) };
      }
    }
  };

  const run = async (): Promise<void> => {
    const kept = keepLease().catch((error: unknown) => {
      if (!keeping.aborted) throw error;
    });
    const result = await unlessAborted(outcome(), abandoned);
    hasResult = true;
    // A job whose lease has ended is tried again anyway.
    if (!lost.signal.aborted && !(isLeaseOver && result.state === 'failed')) await send(result);
    settled.abort();
    await kept;
  };

  return {
    ended: run().catch((error: unknown) => {
      if (!sending.aborted) throw error;
    }),
    lose: () => lost.abort(abortion('The runtime has the job again.')),
  };
}

export function abortion(message: string): DOMException {
  return new DOMException(message, 'AbortError');
}

/** Returns whether the runtime does not have the job any more. */
function isGone({ status, code }: PluginConfigError): boolean {
  return code !== 'unreadable' && (status === 404 || status === 409);
}

function isRetry(error: unknown): boolean {
  return error instanceof Error && 'retry' in error && error.retry === true;
}

/** Returns the value as it is sent, so that nobody changes it while it is sent again. */
function jsonOf(value: unknown): Json {
  return JSON.parse(JSON.stringify(value === undefined ? null : value)) as Json;
}
