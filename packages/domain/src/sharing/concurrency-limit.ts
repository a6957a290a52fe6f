import { fairQueue } from './fair-queue.ts';
import { fairSlots } from './fair-slots.ts';
import { ranOutOfPatience, type Patience } from './patience.ts';

interface Options {
  readonly max: number;
  /** The maximum for one key; by default, a key cannot have more than are still free. */
  readonly maxPerKey?: number;
  /** The default limit of the wait for a slot. */
  readonly patienceMs: number;
  readonly timer: Timer;
}

/** Schedules work, and returns a function that cancels it. */
export type Timer = (work: () => void, afterMs: number) => () => void;

/** Runs work for a key, such as a project, when a slot is free. */
export type ConcurrencyLimit = <T>(key: number, work: () => Promise<T>, patience?: Patience) => Promise<T>;

/** Limits the number of concurrent works. Others wait: keys take turns, and the works of one key keep their order. */
export function concurrencyLimit({ max, maxPerKey, patienceMs, timer }: Options): ConcurrencyLimit {
  const slots = fairSlots<number>(max, maxPerKey);
  const waiting = fairQueue<number, () => void>();
  const waitForSlot = async (key: number, waitMs: number): Promise<void> => {
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
    if (!slots.take(key)) await waitForSlot(key, patience?.left() ?? patienceMs);
    try {
      return await work();
    } finally {
      leave(key);
    }
  };
}
