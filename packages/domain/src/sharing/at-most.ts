import { fairQueue } from './fair-queue.ts';
import { fairSlots } from './fair-slots.ts';
import { ranOutOfPatience, type Patience } from './patience.ts';

interface Options {
  readonly most: number;
  /** Of one key; without it a key has no more than are free. */
  readonly mostOfOne?: number;
  /** How long a work waits for its turn before it is refused, where its caller does not say. */
  readonly patienceMs: number;
  readonly timer: Timer;
}

/** Does something later, unless it is told not to: what it returns cancels it. */
export type Timer = (work: () => void, afterMs: number) => () => void;

/** Runs a work of a key, such as a project, when its turn has come. */
export type AtMost = <T>(key: number, work: () => Promise<T>, patience?: Patience) => Promise<T>;

/** Lets so many works run at a time. The others wait: keys take turns, the works of one in the order they came in. */
export function atMost({ most, mostOfOne, patienceMs, timer }: Options): AtMost {
  const slots = fairSlots<number>(most, mostOfOne);
  const waiting = fairQueue<number, () => void>();
  const turnOf = async (key: number, waitMs: number): Promise<void> => {
    if (waitMs <= 0) throw ranOutOfPatience();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const refuse = (): void => {
      waiting.remove(key, resolve);
      reject(ranOutOfPatience());
    };
    const cancel = timer(refuse, waitMs);
    waiting.add(key, resolve);
    await promise.finally(cancel);
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
