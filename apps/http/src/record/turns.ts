import { tooManyChanges, type Patience } from '@plugin-config/domain';

/** Lets works of the same key run one after the other, in the order in which they came. */
export type Turns = <T>(key: number, patience: Patience, work: () => Promise<T>) => Promise<T>;

/**
 * Those who change the same record in this process do not race each other for it: the store's comparison of versions
 * is left to those of other processes. Whose turn comes when its patience has run out is refused.
 */
export function turns(): Turns {
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
