import { isOnline } from '../runtime/runtime-instance.ts';

/** What an alert needs to know about a runtime. */
export interface RuntimeHealth {
  readonly version: string;
  /** When the runtime first reported its version. */
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

/**
 * Returns a function that counts the online runtimes that could not apply a record, or still have a version from before a
 * change to it that is older than the window.
 */
export function failingRuntimes(
  runtimes: readonly RuntimeHealth[],
  { current, start, end }: Moment,
): (record: { readonly id: number; readonly updatedAt: Date }) => number {
  const online = runtimes.filter((runtime) => isOnline(runtime, end));
  const isBehind = ({ version, versionSince }: RuntimeHealth, updatedAt: Date): boolean =>
    current !== null && version !== current && updatedAt <= start && versionSince < updatedAt;
  return ({ id, updatedAt }) =>
    online.filter((runtime) => runtime.failed.has(id) || isBehind(runtime, updatedAt)).length;
}
