import { fairQueue } from './fair-queue.ts';
import { fairSlots } from './fair-slots.ts';
import type { Patience } from './patience.ts';
import type { Timer } from './timer.ts';

interface Options {
  readonly max: number;
  /** The maximum for one tenant; by default, a tenant cannot have more than are still free. */
  readonly maxPerTenant?: number;
  /** The default limit of the wait for a slot. */
  readonly patienceMs: number;
  /** The error of a work that waits too long. */
  readonly refusal: () => Error;
  readonly timer: Timer;
  /** By default, the next work may begin at once. */
  readonly coolDown?: CoolDown;
}

/** Keeps a tenant whose works take long from working all the time. */
export interface CoolDown {
  /** How long the slot of a work stays closed to its tenant; others may take it. */
  readonly msAfter: (tookMs: number) => number;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** Runs work for a tenant, such as a project, when a slot is free. */
export type ConcurrencyLimit = <T>(tenant: number, work: () => Promise<T>, patience?: Patience) => Promise<T>;

/** Limits the number of concurrent works. Others wait: tenants take turns, and the works of one tenant keep their order. */
export function concurrencyLimit({
  max,
  maxPerTenant,
  patienceMs,
  refusal,
  timer,
  coolDown,
}: Options): ConcurrencyLimit {
  const slots = fairSlots<number>(max, maxPerTenant);
  const waiting = fairQueue<number, () => void>();
  const waitForSlot = async (tenant: number, waitMs: number): Promise<void> => {
    if (waitMs <= 0) throw refusal();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const refuse = (): void => {
      waiting.remove(tenant, resolve);
      reject(refusal());
    };
    const cancel = timer(refuse, waitMs);
    waiting.add(tenant, resolve);
    await promise.finally(cancel);
  };
  /** Starts works while slots are free. The condition takes the slot: the queue calls it until it returns true. */
  const startNext = (): void => {
    let start: (() => void) | undefined;
    while ((start = waiting.next((next) => slots.take(next))) !== undefined) start();
  };
  const leave = (tenant: number, coolDownMs: number): void => {
    if (coolDownMs <= 0) slots.give(tenant);
    else {
      slots.coolDown(tenant);
      timer(() => {
        slots.reopen(tenant);
        startNext();
      }, coolDownMs);
    }
    startNext();
  };
  return async (tenant, work, patience) => {
    if (!slots.take(tenant)) await waitForSlot(tenant, patience?.left() ?? patienceMs);
    const start = coolDown?.now();
    try {
      return await work();
    } finally {
      leave(
        tenant,
        coolDown === undefined || start === undefined ? 0 : coolDown.msAfter(coolDown.now() - start),
      );
    }
  };
}
