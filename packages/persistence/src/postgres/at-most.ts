import { fairQueue, fairSlots, ranOutOfPatience, type Patience } from '@plugin-config/domain';

interface Options {
  readonly most: number;
  /** Of one key; without it a key has no more than are free. */
  readonly mostOfOne?: number;
  /** How long a work waits for its turn before it is refused, where its caller does not say. */
  readonly patienceMs: number;
}

/** Runs a work of a key, such as a project, when its turn has come. */
export type AtMost = <T>(key: number, work: () => Promise<T>, patience?: Patience) => Promise<T>;

/** Lets so many works run at a time. The others wait: keys take turns, the works of one in the order they came in. */
export function atMost({ most, mostOfOne, patienceMs }: Options): AtMost {
  const slots = fairSlots<number>(most, mostOfOne);
  const waiting = fairQueue<number, () => void>();
  const turnOf = async (key: number, waitMs: number): Promise<void> => {
    if (waitMs <= 0) throw ranOutOfPatience();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      waiting.remove(key, resolve);
      reject(ranOutOfPatience());
    }, waitMs);
    waiting.add(key, resolve);
    await promise.finally(() => clearTimeout(timer));
  };
  const leave = (key: number): void => {
    slots.give(key);
    let start: (() => void) | undefined;
    while ((start = waiting.next((next) => slots.take(next))) !== undefined) start();
  };
  return async (key, work, patience) => {
    if (!slots.take(key)) await turnOf(key, patience?.left() ?? patienceMs);
    try {
      return await work();
    } finally {
      leave(key);
    }
  };
}
