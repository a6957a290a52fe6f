/** Lets works of the same key run one after the other, in the order in which they came. */
export type Turns = <T>(key: number, work: () => Promise<T>) => Promise<T>;

/**
 * Those who change the same record in this process do not race each other for it: the store's comparison of versions
 * is left to those of other processes.
 */
export function turns(): Turns {
  const latest = new Map<number, Promise<unknown>>();
  return async (key, work) => {
    const before = latest.get(key);
    const own = before === undefined ? work() : before.then(work, work);
    latest.set(key, own);
    try {
      return await own;
    } finally {
      if (latest.get(key) === own) latest.delete(key);
    }
  };
}
