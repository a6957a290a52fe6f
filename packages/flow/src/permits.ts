import { fairQueue } from './fair-queue.ts';
import type { StopSignal } from './stop-signal.ts';
import type { Timer } from './timer.ts';

/** A limited number of permits for concurrent work, shared fairly by tenants. */
export interface Permits {
  readonly free: number;
  /** The tenants that cannot take a permit at the moment. */
  readonly full: readonly number[];
  /**
   * Takes a permit, or returns false. A tenant gets one while more than the reserve is free, or while more permits
   * are free than it holds. A single tenant may thus use everything except the reserve, and a new tenant still finds
   * a permit.
   */
  take(tenant: number): boolean;
  give(tenant: number): void;
}

/**
 * @param reserve how many permits a tenant gets only while it holds fewer than are free; by default all of them
 * @param each how many a tenant may hold
 */
export function permits(max: number, reserve = max, each = max): Permits {
  const held = new Map<number, number>();
  let free = max;
  const heldBy = (tenant: number): number => held.get(tenant) ?? 0;
  const canTake = (tenant: number): boolean =>
    heldBy(tenant) < each && (free > reserve || heldBy(tenant) < free);
  return {
    get free() {
      return free;
    },
    get full() {
      return [...held.keys()].filter((tenant) => !canTake(tenant));
    },
    take(tenant) {
      if (!canTake(tenant)) return false;
      held.set(tenant, heldBy(tenant) + 1);
      free--;
      return true;
    },
    give(tenant) {
      const remaining = heldBy(tenant) - 1;
      if (remaining > 0) held.set(tenant, remaining);
      else held.delete(tenant);
      free++;
    },
  };
}

/** Permits that work can wait for. Tenants get freed permits round robin, and the work of one tenant in order. */
export interface QueuedPermits extends Permits {
  readonly waiting: number;
  /** Waits for a permit after `take` has returned false. Rejects at the deadline, and when the signal is aborted. */
  wait(tenant: number, until: WaitLimit): Promise<void>;
}

export interface WaitLimit {
  /** In milliseconds; 0 or less once the time is up. */
  readonly remainingMs: number;
  /** Aborted once the caller is gone. */
  readonly signal?: StopSignal;
}

interface Options {
  readonly max: number;
  readonly reserve?: number;
  readonly each?: number;
  /** Creates the error for work that has waited too long. */
  readonly tooLate: () => Error;
  readonly timer: Timer;
}

interface Waiter {
  readonly tenant: number;
  readonly admit: () => void;
}

export function queuedPermits({ max, reserve, each, tooLate, timer }: Options): QueuedPermits {
  const shared = permits(max, reserve, each);
  const waiting = fairQueue<number, Waiter>();
  /** The predicate takes the permit: the queue calls it until it returns true. */
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
    // A tenant cannot overtake its own waiting work: while any waits, the tenant may not take a permit.
    take: shared.take,
    async wait(tenant, { remainingMs, signal }) {
      if (remainingMs <= 0 || signal?.aborted === true) throw tooLate();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiter = { tenant, admit: resolve };
      const cancelWait = (): void => {
        if (waiting.remove(tenant, waiter)) reject(tooLate());
      };
      const cancel = timer(cancelWait, remainingMs);
      signal?.addEventListener('abort', cancelWait);
      waiting.add(tenant, waiter);
      try {
        await promise;
      } finally {
        cancel();
        signal?.removeEventListener('abort', cancelWait);
      }
    },
    give(tenant) {
      shared.give(tenant);
      admitWaiting();
    },
  };
}
