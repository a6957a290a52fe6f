import { tooManyChanges } from '@plugin-config/domain';

/** Lets works of the same key run one after the other, in the order in which they came. */
export type Turns = <T>(key: number, work: () => Promise<T>) => Promise<T>;

/**
 * Those who change the same record in this process do not race each other for it: the store's comparison of versions
 * is left to those of other processes. Whose turn comes late is refused: better an early refusal than a late answer.
 */
export function turns({ patienceMs }: { readonly patienceMs: number }): Turns {
  const latest = new Map<number, Promise<unknown>>();
  const after = async <T>(before: Promise<unknown>, work: () => Promise<T>): Promise<T> => {
    const cameAt = performance.now();
    await before.catch(() => undefined);
    if (performance.now() - cameAt > patienceMs) throw tooManyChanges({ retryAfterSeconds: 2 });
    return work();
  };
  return async (key, work) => {
    const before = latest.get(key);
    const own = before === undefined ? work() : after(before, work);
    latest.set(key, own);
    try {
      return await own;
    } finally {
      if (latest.get(key) === own) latest.delete(key);
    }
  };
}
