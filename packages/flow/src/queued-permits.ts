import { fairQueue } from './fair-queue.ts';
import { permits, type Permits } from './permits.ts';
import type { StopSignal } from './stop-signal.ts';
import type { Timer } from './timer.ts';

/** Permits for which work can wait. Tenants get freed ones round robin, and the works of one tenant in order. */
export interface QueuedPermits extends Permits {
  /** The number of works that wait. */
  readonly waiting: number;
  /** Waits for a permit that `take` has rejected. Rejects at the deadline, and when the signal is aborted. */
  wait(tenant: number, until: WaitLimit): Promise<void>;
}

export interface WaitLimit {
  /** Milliseconds; 0 or less when the time is up. */
  readonly remainingMs: number;
  /** Aborted once nobody waits for the work any more. */
  readonly signal?: StopSignal;
}

interface Options {
  readonly max: number;
  readonly reserve?: number;
  /** Creates the error of a work that waited too long. */
  readonly tooLate: () => Error;
  readonly timer: Timer;
}

interface Waiter {
  readonly tenant: number;
  readonly admit: () => void;
}

export function queuedPermits({ max, reserve, tooLate, timer }: Options): QueuedPermits {
  const shared = permits(max, reserve);
  const waiting = fairQueue<number, Waiter>();
  /** The condition takes the permit: the queue calls it until it returns true. */
  const admitWaiting = (): void => {
    while (waiting.size > 0) {
      const next = waiting.next(shared.take);
      if (next === undefined) return;
      next.admit();
    }
  };
  return {
    get free() {
      return shared.free;
    },
    get full() {
      return shared.full;
    },
    get waiting() {
      return waiting.size;
    },
    // Overtakes nobody: a tenant that waits could not take a permit when the last one was returned, and cannot now.
    take: shared.take,
    async wait(tenant, { remainingMs, signal }) {
      if (remainingMs <= 0 || signal?.aborted === true) throw tooLate();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiter = { tenant, admit: resolve };
      const giveUp = (): void => {
        if (waiting.remove(tenant, waiter)) reject(tooLate());
      };
      const cancel = timer(giveUp, remainingMs);
      signal?.addEventListener('abort', giveUp);
      waiting.add(tenant, waiter);
      try {
        await promise;
      } finally {
        cancel();
        signal?.removeEventListener('abort', giveUp);
      }
    },
    give(tenant) {
      shared.give(tenant);
      admitWaiting();
    },
  };
}
