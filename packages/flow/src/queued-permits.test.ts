import { setImmediate as settled } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { queuedPermits } from './permits.ts';
import type { Timer } from './timer.ts';

const TOO_LATE = new Error('too late');
const tooLate = () => TOO_LATE;
const FOREVER = { remainingMs: 60_000 };

/** A timer that fires only when the test advances the time. */
function stoppedTimer() {
  const pending = new Set<() => void>();
  const timer: Timer = (work) => {
    pending.add(work);
    return () => void pending.delete(work);
  };
  return { timer, pending, pass: () => pending.forEach((work) => work()) };
}

const { timer } = stoppedTimer();

describe('waiting work', () => {
  test('gets returned permits in the order of its tenant', async () => {
    const shared = queuedPermits({ max: 1, tooLate, timer });
    shared.take(1);
    const order: string[] = [];
    for (const name of ['first', 'second']) void shared.wait(1, FOREVER).then(() => order.push(name));
    expect(shared.waiting).toBe(2);
    shared.give(1);
    await settled();
    expect([order, shared.waiting, shared.free]).toEqual([['first'], 1, 0]);
    shared.give(1);
    await settled();
    expect(order).toEqual(['first', 'second']);
  });

  test('waits for at most one piece of work of another tenant', async () => {
    const shared = queuedPermits({ max: 1, tooLate, timer });
    shared.take(1);
    const order: number[] = [];
    for (const tenant of [1, 1, 1, 2]) {
      void shared.wait(tenant, FOREVER).then(() => {
        order.push(tenant);
        shared.give(tenant);
      });
    }
    shared.give(1);
    await settled();
    expect(order).toEqual([1, 2, 1, 1]);
  });

  test('is rejected at its deadline, and takes no permit', async () => {
    const { timer: own, pending, pass } = stoppedTimer();
    const shared = queuedPermits({ max: 1, tooLate, timer: own });
    shared.take(1);
    const late = shared.wait(1, FOREVER);
    pass();
    await expect(late).rejects.toBe(TOO_LATE);
    await expect(shared.wait(1, { remainingMs: 0 })).rejects.toBe(TOO_LATE);
    shared.give(1);
    expect([shared.free, shared.waiting, pending.size]).toEqual([1, 0, 0]);
  });

  test('is cancelled when its caller is gone', async () => {
    const { timer: own, pending } = stoppedTimer();
    const shared = queuedPermits({ max: 1, tooLate, timer: own });
    shared.take(1);
    const caller = new AbortController();
    const given = shared.wait(1, { remainingMs: 60_000, signal: caller.signal });
    caller.abort();
    await expect(given).rejects.toBe(TOO_LATE);
    await expect(shared.wait(1, { remainingMs: 60_000, signal: caller.signal })).rejects.toBe(TOO_LATE);
    shared.give(1);
    expect([shared.free, shared.waiting, pending.size]).toEqual([1, 0, 0]);
  });
});

/** A sequence of steps: a tenant starts work, or ends its oldest work. */
const STEPS = fc.array(fc.record({ tenant: fc.integer({ min: 1, max: 5 }), ends: fc.boolean() }), {
  maxLength: 200,
});
const SIZES = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 12 }))
  .map(([max, reserve]) => ({ max, reserve: Math.min(max, reserve) }));

/** Tenants that start and end work. */
function working({ max, reserve }: { readonly max: number; readonly reserve: number }) {
  const shared = queuedPermits({ max, reserve, tooLate, timer });
  const running = new Map<number, number>();
  const queued: number[] = [];
  const add = (tenant: number, n: number): void => void running.set(tenant, (running.get(tenant) ?? 0) + n);
  return {
    shared,
    queued,
    runningOf: (tenant: number) => running.get(tenant) ?? 0,
    step: async ({ tenant, ends }: { readonly tenant: number; readonly ends: boolean }) => {
      if (!ends && shared.take(tenant)) add(tenant, 1);
      else if (!ends) {
        queued.push(tenant);
        void shared.wait(tenant, FOREVER).then(() => {
          queued.splice(queued.indexOf(tenant), 1);
          add(tenant, 1);
        });
      } else if ((running.get(tenant) ?? 0) > 0) {
        add(tenant, -1);
        shared.give(tenant);
      }
      await settled();
    },
    total: () => [...running.values()].reduce((sum, n) => sum + n, 0),
  };
}

test('permits are neither lost nor created, and a tenant without any waits only while none is free', async () => {
  await fc.assert(
    fc.asyncProperty(SIZES, STEPS, async (sizes, steps) => {
      const { shared, queued, runningOf, step, total } = working(sizes);
      for (const each of steps) {
        await step(each);
        expect([shared.free + total(), shared.waiting]).toEqual([sizes.max, queued.length]);
        for (const tenant of new Set(queued)) {
          expect(shared.free).toBeLessThanOrEqual(Math.min(sizes.reserve, runningOf(tenant)));
        }
      }
    }),
  );
});

test('a tenant waits for at most one piece of work of each other waiting tenant', async () => {
  await fc.assert(
    fc.asyncProperty(
      SIZES,
      fc.array(fc.integer({ min: 2, max: 6 }), { maxLength: 30 }),
      async (sizes, others) => {
        const shared = queuedPermits({ ...sizes, tooLate, timer });
        const fillers: number[] = [];
        for (let filler = 100; shared.take(filler); filler++) fillers.push(filler);
        const admitted: number[] = [];
        for (const tenant of [...others, 1]) {
          void shared.wait(tenant, FOREVER).then(() => {
            admitted.push(tenant);
            shared.give(tenant);
          });
        }
        for (const filler of fillers) shared.give(filler);
        await settled();
        const before = admitted.slice(0, admitted.indexOf(1));
        expect(new Set(before).size).toBe(before.length);
        expect([admitted.length, shared.free, shared.waiting]).toEqual([others.length + 1, sizes.max, 0]);
      },
    ),
  );
});
