import { PluginConfigError } from './error.ts';

export interface Pauses {
  /** The maximum length of the first pause. It doubles with each further pause. */
  readonly baseMs: number;
  /** The maximum length of any pause, unless the service requests a longer one. */
  readonly maxPauseMs: number;
}

export interface RetryPolicy extends Pauses {
  /** The maximum number of attempts. */
  readonly attempts: number;
  /** How long after the first attempt the last one may start. */
  readonly totalMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { attempts: 5, baseMs: 200, maxPauseMs: 5_000, totalMs: 30_000 };

/** Overrides for a policy that never gives up. */
export const FOREVER = { attempts: Number.POSITIVE_INFINITY, totalMs: Number.POSITIVE_INFINITY };

interface RetryOptions {
  readonly policy: RetryPolicy;
  /** True if the request can safely be carried out twice. */
  readonly isRepeatable: boolean;
  readonly onError?: (error: PluginConfigError) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Statuses of temporary failures; null means that there was no response. */
const TEMPORARY: ReadonlySet<number | null> = new Set([null, 408, 429, 502, 503, 504]);

/** Sends a request, and retries after temporary failures if that is safe and the policy allows it. */
export async function withRetries<T>(send: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { policy, isRepeatable, onError, signal } = options;
  const end = performance.now() + policy.totalMs;
  let unknownOutcome: PluginConfigError | undefined;
  for (let retry = 1; ; retry++) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof PluginConfigError)) throw error;
      onError?.(error);
      // An earlier attempt whose response was lost may have made the change.
      const mayBeOwn = error.status === 412 || error.code === 'already_exists';
      if (mayBeOwn && unknownOutcome !== undefined) error.cause = unknownOutcome;
      if (retry >= policy.attempts || !canRepeat(error, isRepeatable)) throw error;
      const pause = pauseMs(error, retry, policy);
      if (performance.now() + pause > end) throw error;
      if (error.status !== 429) unknownOutcome = error;
      await sleep(pause, signal);
    }
  }
}

/** A throttled request was not carried out, so it can be retried even if it is not repeatable. */
function canRepeat({ status, retryAfterSeconds }: PluginConfigError, isRepeatable: boolean): boolean {
  return status === 429 || (isRepeatable && (TEMPORARY.has(status) || retryAfterSeconds !== null));
}

/** Returns the pause that the service requests plus a back-off. */
export function pauseMs({ retryAfterSeconds }: PluginConfigError, retry: number, pauses: Pauses): number {
  return (retryAfterSeconds ?? 0) * 1000 + backOffMs(retry, pauses);
}

/** Exponential back-off with full jitter. */
export function backOffMs(
  retry: number,
  { baseMs, maxPauseMs }: Pauses,
  random: () => number = Math.random,
): number {
  return random() * Math.min(maxPauseMs, baseMs * 2 ** (retry - 1));
}

/** The longest time that `setTimeout` supports. */
const LONGEST_MS = 2 ** 31 - 1;

/** Resolves after this time, or rejects with the signal's reason. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, LONGEST_MS));
  });
  await unlessAborted(elapsed, signal).finally(() => clearTimeout(timer));
}

/** Settles like the promise, but rejects immediately if the signal is aborted. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal?.reason as Error);
    signal?.addEventListener('abort', abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort));
  });
}
