import { DomainError } from '../kernel/domain-error.ts';
import { DAY_MS, startOfDay } from '../log/log-days.ts';

/** The maximum amount that a project may log per day, in UTC. Null means unlimited. */
export interface LogQuota {
  readonly entriesPerDay: number | null;
  /** The total size of messages in UTF-8. */
  readonly bytesPerDay: number | null;
}

export const NO_QUOTA: LogQuota = { entriesPerDay: null, bytesPerDay: null };

/** Returns the effective quota of a project, with defaults from the settings. */
export function quotaOf(own: LogQuota, setting: LogQuota): LogQuota {
  return {
    entriesPerDay: own.entriesPerDay ?? setting.entriesPerDay,
    bytesPerDay: own.bytesPerDay ?? setting.bytesPerDay,
  };
}

export function isLimited({ entriesPerDay, bytesPerDay }: LogQuota): boolean {
  return entriesPerDay !== null || bytesPerDay !== null;
}

/** A number of entries, and the size of their messages. */
export interface LogAmount {
  readonly entries: number;
  readonly bytes: number;
}

export const NOTHING: LogAmount = { entries: 0, bytes: 0 };

export function sumOf(a: LogAmount, b: LogAmount): LogAmount {
  return { entries: a.entries + b.entries, bytes: a.bytes + b.bytes };
}

export function fits({ entries, bytes }: LogAmount, { entriesPerDay, bytesPerDay }: LogQuota): boolean {
  return entries <= (entriesPerDay ?? Infinity) && bytes <= (bytesPerDay ?? Infinity);
}

/** The maximum retry delay for senders, because the quota may be raised at any time. */
const WAIT_MAX_SECONDS = 900;

/** For a push whose entries are all over the quota of their project. */
export function overQuota(now: Date): DomainError {
  const nextDay = startOfDay(now.getTime()) + DAY_MS;
  const retryAfterSeconds = Math.min(WAIT_MAX_SECONDS, Math.ceil((nextDay - now.getTime()) / 1000));
  const message = "The project has used up today's log quota. No entry of this push was stored.";
  return new DomainError('throttled', message, { retryAfterSeconds });
}

/** For a push that exceeds the quota of a whole day. */
export function largerThanQuota(): DomainError {
  return new DomainError(
    'too_large',
    'This push exceeds the daily log quota of the project. No entry of it was stored.',
  );
}
