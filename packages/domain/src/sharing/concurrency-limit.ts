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
  /** By default, the next work may begin at once. */
  readonly rest?: Rest;
}

/** Keeps a key whose works take long from working all the time. */
export interface Rest {
  /** How long the slot of a work stays closed to its key; others may take it. */
  readonly restOf: (tookMs: number) => number;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** Schedules work, and returns a function that cancels it. */
export type Timer = (work: () => void, afterMs: number) => () => void;

/** Runs work for a key, such as a project, when a slot is free. */
export type ConcurrencyLimit = <T>(key: number, work: () => Promise<T>, patience?: Patience) => Promise<T>;

/** Limits the number of concurrent works. Others wait: keys take turns, and the works of one key keep their order. */
export function concurrencyLimit({ max, maxPerKey, patienceMs, timer, rest }: Options): ConcurrencyLimit {
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
  const startNext = (): void => {
    let start: (() => void) | undefined;
    while ((start = waiting.next((next) => slots.take(next))) !== undefined) start();
  };
  const leave = (key: number, restMs: number): void => {
    if (restMs <= 0) slots.give(key);
    else {
      slots.rest(key);
      timer(() => {
        slots.wake(key);
        startNext();
      }, restMs);
    }
    startNext();
  };
  return async (key, work, patience) => {
    if (!slots.take(key)) await waitForSlot(key, patience?.left() ?? patienceMs);
    const start = rest?.now();
    try {
      return await work();
    } finally {
      leave(key, rest === undefined || start === undefined ? 0 : rest.restOf(rest.now() - start));
    }
  };
}
