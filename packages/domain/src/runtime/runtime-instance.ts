import { DomainError } from '../kernel/domain-error.ts';
import { storableText } from '../log/storable-text.ts';

/** Longer errors of a report are cut. */
const ERROR_MAX = 10_000;
/** The most runtimes of a family. */
export const RUNTIMES_MAX = 1000;
/** The same report again is not stored within this time. */
export const REPORT_REST_MS = 20_000;
/** A runtime that has not reported for this long is forgotten. */
export const RUNTIME_KEPT_MS = 24 * 60 * 60_000;
/** Three reports that are expected once a minute. */
const ONLINE_MS = 3 * 60_000;
const RETRY_AFTER_SECONDS = 60;

export type RuntimeStatus = 'applied' | 'failed';

/** A record that a runtime could not apply. */
export interface FailedRecord {
  readonly id: number;
  readonly error: string;
}

/** What a runtime says about itself. */
export interface RuntimeReport {
  /** The version that it has, or tried to apply. */
  readonly version: string;
  readonly status: RuntimeStatus;
  readonly error: string | null;
  readonly failed: readonly FailedRecord[];
  readonly labels: Readonly<Record<string, string>>;
}

/** A runtime as it last reported. */
export interface RuntimeInstance extends RuntimeReport {
  readonly instance: string;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

/** Returns the report with its errors cut to what is kept. */
export function boundReport({ error, failed, ...report }: RuntimeReport): RuntimeReport {
  return {
    ...report,
    error: error === null ? null : storableText(error, ERROR_MAX),
    failed: failed.map((record) => ({ id: record.id, error: storableText(record.error, ERROR_MAX) })),
  };
}

export function isOnline({ lastSeenAt }: Pick<RuntimeInstance, 'lastSeenAt'>, at: Date): boolean {
  return at.getTime() - lastSeenAt.getTime() <= ONLINE_MS;
}

/** The error of a runtime that would be one too many. */
export function tooManyRuntimes(): DomainError {
  const message = `The family has ${RUNTIMES_MAX} runtimes, which is the maximum. One that no longer reports is forgotten after 24 hours, or when you delete it.`;
  return new DomainError('throttled', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
