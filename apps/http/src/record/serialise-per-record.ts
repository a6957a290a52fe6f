import { tooManyChanges, type Patience } from '@plugin-config/domain';

/** Runs work with the same key one after the other, in order of arrival. */
export type SerialisePerRecord = <T>(key: number, patience: Patience, work: () => Promise<T>) => Promise<T>;

/**
 * Serialises the changes of one record in this process, so that only changes of other processes can lose the store's
 * compare-and-swap. Refuses work whose patience has run out while it waited.
 */
export function serialisePerRecord(): SerialisePerRecord {
  const latest = new Map<number, Promise<unknown>>();
  const after = async <T>(
    before: Promise<unknown>,
    patience: Patience,
    work: () => Promise<T>,
  ): Promise<T> => {
    await before.catch(() => undefined);
    if (patience.left() <= 0) throw tooManyChanges({ retryAfterSeconds: 2 });
    return work();
  };
  return async (key, patience, work) => {
    const before = latest.get(key);
    const own = before === undefined ? work() : after(before, patience, work);
    latest.set(key, own);
    try {
      return await own;
    } finally {
      if (latest.get(key) === own) latest.delete(key);
    }
  };
}
