import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { serialisePerRecord } from './serialise-per-record.ts';

const PATIENT = { left: () => 60_000 };

test('work of one key runs one after the other, and failed work does not block the next', async () => {
  const turn = serialisePerRecord();
  const events: string[] = [];
  const work = (name: string) => async () => {
    events.push(`${name} begins`);
    await sleep(1);
    events.push(`${name} ends`);
    if (name === 'a') throw new Error('a fails');
    return name;
  };
  const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => turn(1, PATIENT, work(name))));
  expect(all).toMatchObject([{ reason: { message: 'a fails' } }, { value: 'b' }, { value: 'c' }]);
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('work that waited longer than its patience is refused and never runs', async () => {
  const turn = serialisePerRecord();
  let done = 0;
  const slow = turn(1, PATIENT, () => sleep(5));
  const late = [1, 2, 3].map(() => turn(1, { left: () => 0 }, async () => done++));
  const other = turn(2, PATIENT, async () => 'at once');
  expect(await Promise.allSettled([slow, ...late, other])).toMatchObject([
    { status: 'fulfilled' },
    { reason: { code: 'busy', retryAfterSeconds: 2 } },
    { reason: { code: 'busy' } },
    { reason: { code: 'busy' } },
    { value: 'at once' },
  ]);
  expect(done).toBe(0);
  expect(await turn(1, PATIENT, async () => 'again')).toBe('again');
});
