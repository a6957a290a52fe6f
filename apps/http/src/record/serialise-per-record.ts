import { tooManyChanges, type ConfigRecord } from '@plugin-config/domain';
import type { Deadline } from '@plugin-config/flow';

type Versioned = Pick<ConfigRecord, 'id' | 'version'>;

/** Runs changes of the same record one after the other, in the order in which they were stored. */
export type SerialisePerRecord<R extends Versioned = ConfigRecord> = (
  /** As it was read last. */
  record: R,
  deadline: Deadline,
  /** Begins with what the change before has left, if that is newer. */
  change: (newest: R) => Promise<R>,
) => Promise<R>;

/**
 * Serialises the changes of one record in this process, so that only changes of other processes can lose the store's
 * compare-and-swap. Rejects a change whose deadline has run out while it waited.
 */
export function serialisePerRecord<R extends Versioned>(): SerialisePerRecord<R> {
  const ends = new Map<number, Promise<R>>();
  return async (record, deadline, change) => {
    const before = ends.get(record.id);
    const { promise: end, resolve } = Promise.withResolvers<R>();
    ends.set(record.id, end);
    let newest = record;
    try {
      if (before !== undefined) {
        const left = await before;
        if (left.version > record.version) newest = left;
        if (deadline.remainingMs() <= 0) throw tooManyChanges({ retryAfterSeconds: 2 });
      }
      newest = await change(newest);
      return newest;
    } finally {
      resolve(newest);
      if (ends.get(record.id) === end) ends.delete(record.id);
    }
  };
}

/** For dry runs: they wait for other changes of the record as these do, and leave it to the next one as it was. */
export function withoutEffect<R extends Versioned>(serialise: SerialisePerRecord<R>): SerialisePerRecord<R> {
  return async (record, deadline, change) => {
    let changed = record;
    await serialise(record, deadline, async (newest) => {
      changed = await change(newest);
      return newest;
    });
    return changed;
  };
}
