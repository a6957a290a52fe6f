import { fairQueue, ranOutOfPatience, type Patience } from '@plugin-config/domain';

interface Options {
  readonly most: number;
  /** Of one key: others find a place however much one asks for. */
  readonly mostOfOne: number;
  /** How long a work waits for its turn before it is refused, where its caller does not say. */
  readonly patienceMs: number;
}

/** Runs a work of a key, such as a project, when its turn has come. */
export type AtMost = <T>(key: number, work: () => Promise<T>, patience?: Patience) => Promise<T>;

/** Lets so many works run at a time. The others wait: keys take turns, the works of one in the order they came in. */
export function atMost({ most, mostOfOne, patienceMs }: Options): AtMost {
  const waiting = fairQueue<number, { readonly key: number; readonly start: () => void }>();
  const runningOf = new Map<number, number>();
  let running = 0;
  const hasPlace = (key: number): boolean => running < most && (runningOf.get(key) ?? 0) < mostOfOne;
  const count = (key: number, change: 1 | -1): void => {
    running += change;
    const own = (runningOf.get(key) ?? 0) + change;
    if (own > 0) runningOf.set(key, own);
    else runningOf.delete(key);
  };
  const turnOf = async (key: number, waitMs: number): Promise<void> => {
    if (waitMs <= 0) throw ranOutOfPatience();
    const { promise, resolve: start, reject } = Promise.withResolvers<void>();
    const entry = { key, start };
    const timer = setTimeout(() => {
      waiting.remove(key, entry);
      reject(ranOutOfPatience());
    }, waitMs);
    waiting.add(key, entry);
    await promise.finally(() => clearTimeout(timer));
  };
  const leave = (key: number): void => {
    count(key, -1);
    const next = waiting.next(hasPlace);
    if (next === undefined) return;
    count(next.key, 1);
    next.start();
  };
  return async (key, work, patience) => {
    if (hasPlace(key)) count(key, 1);
    else await turnOf(key, patience?.left() ?? patienceMs);
    try {
      return await work();
    } finally {
      leave(key);
    }
  };
}
