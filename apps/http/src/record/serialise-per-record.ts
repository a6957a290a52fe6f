import { tooManyChanges, type ConfigRecord } from '@plugin-config/domain';
import type { Deadline } from '@plugin-config/flow';

type Versioned = Pick<ConfigRecord, 'id' | 'version'>;

/** Runs the changes to each record one at a time, in the order of the calls. */
export type SerialisePerRecord<R extends Versioned = ConfigRecord> = (
  /** The last copy this request read. */
  record: R,
  deadline: Deadline,
  /** Gets the result of the previous change if it is newer. */
  change: (newest: R) => Promise<R>,
) => Promise<R>;

/**
 * Serialises the changes to each record in this process, so a compare-and-swap fails only because of other processes. Rejects a
 * change whose deadline expires while it waits.
 */
export function serialisePerRecord<R extends Versioned>(): SerialisePerRecord<R> {
  const pending = new Map<number, Promise<R>>();
  return async (record, deadline, change) => {
    const previous = pending.get(record.id);
    const { promise: end, resolve } = Promise.withResolvers<R>();
    pending.set(record.id, end);
    let newest = record;
    try {
      if (previous !== undefined) {
        const result = await previous;
        if (result.version > record.version) newest = result;
        if (deadline.remainingMs() <= 0) throw tooManyChanges({ retryAfterSeconds: 2 });
      }
      newest = await change(newest);
      return newest;
    } finally {
      resolve(newest);
      if (pending.get(record.id) === end) pending.delete(record.id);
    }
  };
}

/** For dry runs: they wait for earlier changes, but pass the unchanged record to the next one. */
export function serialiseDryRuns<R extends Versioned>(
  serialise: SerialisePerRecord<R>,
): SerialisePerRecord<R> {
  return async (record, deadline, change) => {
    let changed = record;
    await serialise(record, deadline, async (newest) => {
      changed = await change(newest);
      return newest;
    });
    return changed;
  };
}
