import { DomainError, invalidInput } from '../kernel/domain-error.ts';
import type { Author } from '../kernel/author.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { DispatchState, DispatchType, DisabledReason } from '../vocabulary/vocabulary.ts';

/** Longer responses are truncated, in bytes. */
export const RESPONSE_MAX = 1024;

/** One event on its way to one webhook. */
export interface Dispatch {
  /** A UUID, which receivers get with each attempt. */
  readonly id: string;
  readonly webhookId: number;
  readonly type: DispatchType;
  /** The body, as JSON text. */
  readonly payload: string;
  readonly state: DispatchState;
  /** The attempts since it was queued, including a running one. */
  readonly attempts: number;
  readonly createdAt: Date;
  /** When the next attempt is due; null once it is delivered or has failed. */
  readonly dueAt: Date | null;
  readonly finishedAt: Date | null;
  /** The HTTP status of the last attempt; null if there was no response. */
  readonly lastStatus: number | null;
  /** Why the last attempt failed; null if it did not. */
  readonly lastError: string | null;
  /** The start of the last response. */
  readonly lastResponse: string | null;
}

export interface AttemptOutcome {
  readonly status: number | null;
  /** Null if the receiver accepted the dispatch. */
  readonly error: string | null;
  readonly response: string | null;
  /** The wait that the receiver requests; null if it requests none. */
  readonly retryAfterMs: number | null;
  readonly hasTimedOut: boolean;
}

export type Verdict = 'delivered' | 'failed' | { readonly retryInMs: number };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The pauses after each failed attempt. */
export const RETRY_PAUSES_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
] as const;
const RETRY_AFTER_MAX_MS = 10 * HOUR;
const GONE = 410;

/** Decides what happens after an attempt. Attempts are numbered from 1. */
export function afterAttempt(attempts: number, { status, error, retryAfterMs }: AttemptOutcome): Verdict {
  if (error === null) return 'delivered';
  const pause = RETRY_PAUSES_MS[attempts - 1];
  if (status === GONE || pause === undefined) return 'failed';
  return { retryInMs: Math.max(pause, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS)) };
}

/** A webhook is disabled once all its attempts have failed for this long. */
export const FAILING_MAX_MS = 5 * 24 * HOUR;

/** Returns why an attempt disables a webhook whose attempts have all failed since a time; null if it does not disable it. */
export function reasonToDisable(
  { status, error }: Pick<AttemptOutcome, 'status' | 'error'>,
  failingSince: Date | null,
  now: Date,
): DisabledReason | null {
  if (error === null) return null;
  if (status === GONE) return 'gone';
  const failedForMs = failingSince === null ? 0 : now.getTime() - failingSince.getTime();
  return failedForMs >= FAILING_MAX_MS ? 'failing' : null;
}

/** How long a dispatch may wait for its webhook to be enabled again: as long as it is retried. */
export const RETRIED_MS = RETRY_PAUSES_MS.reduce((sum, pause) => sum + pause, 0);

/**
 * The maximum numbers of dispatches of a webhook. A webhook with this many waiting dispatches is paused: it gets no events until
 * half of them have ended. The oldest ended dispatches are deleted. A webhook for all projects has several in flight, but only one
 * of each project.
 */
export const DISPATCHES_MAX = { waiting: 10_000, ended: 10_000, inFlight: 8 } as const;

/** How long ended dispatches are kept. */
export const DISPATCHES_KEPT_DAYS = 30;

/** From `since`, until just before `until`. */
export interface RecoveredTime {
  readonly since: Date;
  readonly until: Date;
}

/** Reads the dispatches of a webhook, and queues some of them. */
export interface DispatchStore {
  page(projectId: number, webhookId: number, page: PageRequest): Promise<Page<Dispatch>>;
  /**
   * Queues a dispatch again, with the same id and payload. Resolves to null if there is no such dispatch.
   * @throws DomainError `invalid_input`, attr `enabled`, if the webhook is disabled; `throttled` if it is full
   */
  resend(projectId: number, webhookId: number, id: string): Promise<Dispatch | null>;
  /**
   * Queues each failed dispatch that was created in a time again, the oldest first, until the webhook is full. Resolves to how
   * many, or to null if there is no such webhook.
   * @throws DomainError as `resend`
   */
  recover(projectId: number, webhookId: number, time: RecoveredTime): Promise<number | null>;
  /**
   * Queues a `webhook.test` event. Resolves to null if there is no such webhook.
   * @throws DomainError as `resend`
   */
  test(projectId: number, webhookId: number, author: Author): Promise<Dispatch | null>;
}

export function webhookDisabled(): DomainError {
  return invalidInput('enabled', 'The webhook is disabled. Enable it first.');
}

const RETRY_AFTER_S = 60;

export function tooManyWaiting(): DomainError {
  return new DomainError(
    'throttled',
    `${DISPATCHES_MAX.waiting} deliveries of the webhook are waiting. Try again once its receiver has caught up.`,
    { retryAfterSeconds: RETRY_AFTER_S },
  );
}
