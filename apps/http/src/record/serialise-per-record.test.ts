import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { serialisePerRecord } from './serialise-per-record.ts';

interface Versioned {
  readonly id: number;
  readonly version: number;
}

const LONG_DEADLINE = { remainingMs: () => 60_000 };
const KNOWN: Versioned = { id: 1, version: 5 };

const changed = ({ id, version }: Versioned): Versioned => ({ id, version: version + 1 });

test('changes to one record run in sequence, and a failure does not block the next one', async () => {
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
    ['a', 'b', 'c'].map((name) => serialise(KNOWN, LONG_DEADLINE, change(name))),
  );
  expect(all).toMatchObject([
    { reason: { message: 'a fails' } },
    { value: { version: 6 } },
    { value: { version: 7 } },
  ]);
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('each change starts from the result of the previous one, unless it has a newer copy', async () => {
  const serialise = serialisePerRecord<Versioned>();
  const inputs: number[] = [];
  const change = async (latest: Versioned): Promise<Versioned> => {
    inputs.push(latest.version);
    await sleep(1);
    return changed(latest);
  };
  const copies = [KNOWN, KNOWN, KNOWN, { id: 1, version: 20 }, KNOWN];
  await Promise.all(copies.map((each) => serialise(each, LONG_DEADLINE, change)));
  expect(inputs).toEqual([5, 6, 7, 20, 21]);
  await serialise(KNOWN, LONG_DEADLINE, change);
  expect(inputs.at(-1)).toBe(5);
});

test('a failed change passes on its input', async () => {
  const serialise = serialisePerRecord<Versioned>();
  const inputs: number[] = [];
  const work = (fails: boolean) => async (newest: Versioned) => {
    inputs.push(newest.version);
    if (fails) throw new Error('rejected');
    return changed(newest);
  };
  const all = [false, true, false].map((fails) => serialise(KNOWN, LONG_DEADLINE, work(fails)));
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(inputs).toEqual([5, 6, 6]);
});

test('a change that waits past its deadline is rejected and never runs', async () => {
  const serialise = serialisePerRecord<Versioned>();
  let done = 0;
  const count = async (latest: Versioned): Promise<Versioned> => {
    done++;
    return changed(latest);
  };
  const slow = serialise(KNOWN, LONG_DEADLINE, async (latest) => {
    await sleep(5);
    return latest;
  });
  const late = [1, 2, 3].map(() => serialise(KNOWN, { remainingMs: () => 0 }, count));
  const other = serialise({ id: 2, version: 1 }, LONG_DEADLINE, async (latest) => latest);
  expect(await Promise.allSettled([slow, ...late, other])).toMatchObject([
    { status: 'fulfilled' },
    { reason: { code: 'busy', retryAfterSeconds: 2 } },
    { reason: { code: 'busy' } },
    { reason: { code: 'busy' } },
    { value: { id: 2 } },
  ]);
  expect(done).toBe(0);
  expect(await serialise(KNOWN, LONG_DEADLINE, count)).toEqual({ id: 1, version: 6 });
});
