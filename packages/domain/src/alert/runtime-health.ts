import { isOnline } from '../runtime/runtime-instance.ts';

/** The properties of a runtime that alerts need. */
export interface RuntimeHealth {
  /** Null for a host of several projects. */
  readonly version: string | null;
  /** Whether a host has read the last change of the family. */
  readonly hasReadAll: boolean;
  /** When the runtime first reported its version, or the host how far it has read. */
  readonly versionSince: Date;
  readonly lastSeenAt: Date;
  readonly failed: ReadonlySet<number>;
}

interface Moment {
  /** The current version of the family; null if it is unknown. */
  readonly current: string | null;
  readonly start: Date;
  readonly end: Date;
}

export type FailingRuntimes = (record: WatchedRecord) => number;

interface WatchedRecord {
  readonly id: number;
  readonly updatedAt: Date;
}

/** Whether the current version must be known to count the runtimes that are behind. */
export function mayBeBehind(
  runtimes: readonly RuntimeHealth[],
  records: readonly Pick<WatchedRecord, 'updatedAt'>[],
  { start, end }: Omit<Moment, 'current'>,
): boolean {
  const online = runtimes.filter((runtime) => isOnline(runtime, end));
  return records.some(
    ({ updatedAt }) => updatedAt <= start && online.some(({ versionSince }) => versionSince < updatedAt),
  );
}

/**
 * Returns a function that counts the online runtimes that could not apply a record, or still have a version from before a
 * change to it that is older than the window.
 */
export function failingRuntimes(
  runtimes: readonly RuntimeHealth[],
  { current, start, end }: Moment,
): FailingRuntimes {
  const online = runtimes.filter((runtime) => isOnline(runtime, end));
  const isBehind = ({ version, hasReadAll, versionSince }: RuntimeHealth, updatedAt: Date): boolean =>
    current !== null &&
    (version === null ? !hasReadAll : version !== current) &&
    updatedAt <= start &&
    versionSince < updatedAt;
  return ({ id, updatedAt }) =>
    online.filter((runtime) => runtime.failed.has(id) || isBehind(runtime, updatedAt)).length;
}
