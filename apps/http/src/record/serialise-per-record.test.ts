import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { serialisePerRecord } from './serialise-per-record.ts';

interface Versioned {
  readonly id: number;
  readonly version: number;
}

const PATIENT = { remainingMs: () => 60_000 };
const KNOWN: Versioned = { id: 1, version: 5 };

const changed = ({ id, version }: Versioned): Versioned => ({ id, version: version + 1 });

test('changes of one record run one after the other, and a failed one does not block the next', async () => {
  const serialise = serialisePerRecord<Versioned>();
  const events: string[] = [];
  const change = (name: string) => async (latest: Versioned) => {
    events.push(`${name} begins`);
    await sleep(1);
    events.push(`${name} ends`);
    if (name === 'a') throw new Error('a fails');
    return changed(latest);
  };
  const all = await Promise.allSettled(
    ['a', 'b', 'c'].map((name) => serialise(KNOWN, PATIENT, change(name))),
  );
  expect(all).toMatchObject([
    { reason: { message: 'a fails' } },
    { value: { version: 6 } },
    { value: { version: 7 } },
  ]);
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('each change begins with the result of the one before, unless it knows a newer one', async () => {
  const serialise = serialisePerRecord<Versioned>();
  const begun: number[] = [];
  const change = async (latest: Versioned): Promise<Versioned> => {
    begun.push(latest.version);
    await sleep(1);
    return changed(latest);
  };
  const known = [KNOWN, KNOWN, KNOWN, { id: 1, version: 20 }, KNOWN];
  await Promise.all(known.map((each) => serialise(each, PATIENT, change)));
  expect(begun).toEqual([5, 6, 7, 20, 21]);
  await serialise(KNOWN, PATIENT, change);
  expect(begun.at(-1)).toBe(5);
});

test('a failed change passes on what it began with', async () => {
  const serialise = serialisePerRecord<Versioned>();
  const begun: number[] = [];
  const work = (fails: boolean) => async (newest: Versioned) => {
    begun.push(newest.version);
    if (fails) throw new Error('rejected');
    return changed(newest);
  };
  const all = [false, true, false].map((fails) => serialise(KNOWN, PATIENT, work(fails)));
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(begun).toEqual([5, 6, 6]);
});

test('a change that waited longer than its deadline is rejected and never runs', async () => {
  const serialise = serialisePerRecord<Versioned>();
  let done = 0;
  const count = async (latest: Versioned): Promise<Versioned> => {
    done++;
    return changed(latest);
  };
  const slow = serialise(KNOWN, PATIENT, async (latest) => {
    await sleep(5);
    return latest;
  });
  const late = [1, 2, 3].map(() => serialise(KNOWN, { remainingMs: () => 0 }, count));
  const other = serialise({ id: 2, version: 1 }, PATIENT, async (latest) => latest);
  expect(await Promise.allSettled([slow, ...late, other])).toMatchObject([
    { status: 'fulfilled' },
    { reason: { code: 'busy', retryAfterSeconds: 2 } },
    { reason: { code: 'busy' } },
    { reason: { code: 'busy' } },
    { value: { id: 2 } },
  ]);
  expect(done).toBe(0);
  expect(await serialise(KNOWN, PATIENT, count)).toEqual({ id: 1, version: 6 });
});
