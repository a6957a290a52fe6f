import { DomainError } from '../kernel/domain-error.ts';
import { DAY_MS, startOfDay } from '../log/log-days.ts';

/** The most that a project may bring into its logs in a day, in UTC. Null: no limit. */
export interface LogQuota {
  readonly entriesPerDay: number | null;
  /** Of the messages of the entries, in UTF-8. */
  readonly bytesPerDay: number | null;
}

export const NO_QUOTA: LogQuota = { entriesPerDay: null, bytesPerDay: null };

/** The quota of a project: its own where it has one, else that of the settings. */
export function quotaOf(own: LogQuota, setting: LogQuota): LogQuota {
  return {
    entriesPerDay: own.entriesPerDay ?? setting.entriesPerDay,
    bytesPerDay: own.bytesPerDay ?? setting.bytesPerDay,
  };
}

export function isLimited({ entriesPerDay, bytesPerDay }: LogQuota): boolean {
  return entriesPerDay !== null || bytesPerDay !== null;
}

/** An amount of entries, and the bytes of their messages. */
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

/** The longest wait that a sender is told: the quota may be raised at any time. */
const WAIT_MAX_SECONDS = 900;

/** The error of a push all of whose entries are over the quota of their project. */
export function overQuota(now: Date): DomainError {
  const nextDay = startOfDay(now.getTime()) + DAY_MS;
  const retryAfterSeconds = Math.min(WAIT_MAX_SECONDS, Math.ceil((nextDay - now.getTime()) / 1000));
  const message = "The project has used up today's quota of its logs. Nothing of this push was stored.";
  return new DomainError('throttled', message, { retryAfterSeconds });
}

/** The error of such a push that no day has room for. */
export function largerThanQuota(): DomainError {
  return new DomainError(
    'too_large',
    'This push is larger than the daily quota of the logs of the project. Nothing of it was stored.',
  );
}
