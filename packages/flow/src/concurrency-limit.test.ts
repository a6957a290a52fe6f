import { describe, expect, test } from 'vitest';
import { concurrencyLimit } from './concurrency-limit.ts';
import type { Timer } from './timer.ts';

/** Time passes only when a test says so. */
function stoppedTimer() {
  const waiting = new Set<() => void>();
  const timer: Timer = (work) => {
    waiting.add(work);
    return () => void waiting.delete(work);
  };
  return { timer, waiting, timeOut: () => waiting.forEach((work) => work()) };
}

const { timer } = stoppedTimer();
const TOO_LATE = new Error('too late');
const refusal = () => TOO_LATE;

test('no more than the maximum run at a time, and the works of one tenant keep their order', async () => {
  const limited = concurrencyLimit({ max: 3, patienceMs: 60_000, refusal, timer });
  const started: number[] = [];
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<number>());
  const starts = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const works = ends.map(({ promise }, n) =>
    limited(1, () => {
      started.push(n);
      starts[n]?.resolve();
      return promise;
    }),
  );
  expect(started).toEqual([0, 1]);
  ends[1]?.resolve(1);
  await starts[2]?.promise;
  expect(started).toEqual([0, 1, 2]);
  ends[0]?.reject(new Error('fails'));
  await starts[3]?.promise;
  for (const { resolve } of ends) resolve(9);
  expect(await Promise.allSettled(works)).toMatchObject([
    { reason: { message: 'fails' } },
    { value: 1 },
    { value: 9 },
    { value: 9 },
  ]);
});

test('a work that waits too long is refused and takes no slot', async () => {
  const { timer: own, waiting, timeOut } = stoppedTimer();
  const limited = concurrencyLimit({ max: 1, patienceMs: 60_000, refusal, timer: own });
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = limited(1, () => promise);
  const late = limited(1, async () => 'never');
  timeOut();
  await expect(late).rejects.toBe(TOO_LATE);
  const next = limited(1, async () => 'next');
  resolve();
  await running;
  expect([await next, waiting.size]).toEqual(['next', 0]);
});

test('a work behind many works of another tenant waits for only one of them', async () => {
  const limited = concurrencyLimit({ max: 1, patienceMs: 60_000, refusal, timer });
  const started: number[] = [];
  const run = (tenant: number) => limited(tenant, async () => void started.push(tenant));
  await Promise.all([run(1), run(1), run(1), run(1), run(2)]);
  expect(started).toEqual([1, 1, 2, 1, 1]);
});

test('one tenant never takes all slots', async () => {
  const limited = concurrencyLimit({ max: 3, patienceMs: 60_000, refusal, timer });
  const { promise, resolve } = Promise.withResolvers<void>();
  const long = [1, 2, 3].map(() => limited(1, () => promise));
  expect(await limited(2, async () => 'done')).toBe('done');
  resolve();
  expect(await Promise.all(long)).toHaveLength(3);
});

test('a work with its own patience waits no longer than that', async () => {
  const waits: number[] = [];
  const own: Timer = (work, afterMs) => {
    waits.push(afterMs);
    return timer(work, afterMs);
  };
  const limited = concurrencyLimit({ max: 1, patienceMs: 60_000, refusal, timer: own });
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = limited(1, () => promise);
  const waiting = limited(2, async () => 'in time', { left: () => 5 });
  await expect(limited(2, async () => 'never', { left: () => 0 })).rejects.toBe(TOO_LATE);
  resolve();
  await running;
  expect([await waiting, waits]).toEqual(['in time', [5]]);
});

describe('a tenant whose works take long', () => {
  const msAfter = (tookMs: number): number => Math.max(0, tookMs - 50);

  function limitWithCoolDown() {
    let now = 0;
    const coolDowns: (readonly [end: () => void, afterMs: number])[] = [];
    const own: Timer = (work, afterMs) => {
      coolDowns.push([work, afterMs]);
      return () => undefined;
    };
    const limited = concurrencyLimit({
      max: 4,
      maxPerTenant: 1,
      patienceMs: 60_000,
      refusal,
      timer: own,
      coolDown: { msAfter, now: () => now },
    });
    const works = (tenant: number, tookMs: number) => limited(tenant, async () => void (now += tookMs));
    return { works, coolDowns };
  }

  test('waits for a while before its next work, and others do not', async () => {
    const { works, coolDowns } = limitWithCoolDown();
    await works(1, 80);
    expect(coolDowns.map(([, afterMs]) => afterMs)).toEqual([30]);
    const order: string[] = [];
    const next = works(1, 0).then(() => order.push('next'));
    await works(2, 0).then(() => order.push('other'));
    coolDowns[0]?.[0]();
    await next;
    expect(order).toEqual(['other', 'next']);
  });

  test('waits for nothing if they are quick', async () => {
    const { works, coolDowns } = limitWithCoolDown();
    await works(1, 50);
    await works(1, 50);
    expect(coolDowns).toEqual([]);
  });
});
