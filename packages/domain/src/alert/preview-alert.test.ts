import { expect, test } from 'vitest';
import { NEVER } from '../kernel/timer.fixture.ts';
import { anAlert } from './alert.fixture.ts';
import type { AlertRule } from './alert.ts';
import {
  previewAlert,
  PREVIEW_STEP_MS,
  type PreviewedIncident,
  type RecordHistory,
} from './preview-alert.ts';

const AT = new Date('2026-03-01T12:03:00Z');
const END = Date.parse('2026-03-01T12:00:00Z');
const LONG_AGO = new Date('2026-01-01T00:00:00Z');
const LIMITS = { deadline: { remainingMs: () => 1000 }, signal: NEVER };
/** The time that is this many steps before the end. */
const before = (steps: number): Date => new Date(END - steps * PREVIEW_STEP_MS);

type Steps = Readonly<Record<number, readonly [count: number, successes: number]>>;

/** Previews a rule on a record with data in these steps, which are counted back from the end. */
async function preview(given: Partial<AlertRule>, steps: Steps, record: Partial<RecordHistory> = {}) {
  const previews = {
    async *read(
      _project: number,
      _rule: AlertRule,
      { start, length }: { readonly start: Date; readonly length: number },
    ) {
      expect(start).toEqual(before(length));
      const samples = Object.entries(steps).map(
        ([back, [count, successes]]) => [length - Number(back), { count, successes }] as const,
      );
      yield [{ recordId: 7, updatedAt: LONG_AGO, steps: new Map(samples), ...record }];
    },
  };
  const rule = anAlert({ required: { n: 1, m: 1 }, windowMinutes: 5, minSamples: 1, ...given });
  return previewAlert({ previews }, 1, rule, { at: AT, ...LIMITS });
}

test('an incident lasts from the first bad window to the first good one', async () => {
  const steps = { 5: [10, 10], 4: [10, 5], 3: [10, 0], 1: [10, 10] } as const;
  const incident: PreviewedIncident = { recordId: 7, value: 0.5, openedAt: before(3), closedAt: before(0) };
  expect(await preview({}, steps)).toEqual({ count: 1, items: [incident] });
});

test('an incident can still be open', async () => {
  const steps = { 1: [3, 0] } as const;
  const incident = { recordId: 7, value: 3, openedAt: before(0), closedAt: null };
  expect(await preview({ signal: 'log', threshold: 3 }, steps)).toEqual({ count: 1, items: [incident] });
});

test('a window adds up its steps, and the value ends at the threshold', async () => {
  const rule = { signal: 'log', threshold: 5, windowMinutes: 10 } as const;
  const { items } = await preview(rule, { 9: [3, 0], 8: [4, 0] });
  expect(items).toEqual([{ recordId: 7, value: 5, openedAt: before(7), closedAt: before(6) }]);
});

test('a step counts as five evaluations', async () => {
  const rule = { signal: 'log', threshold: 1 } as const;
  expect((await preview({ ...rule, required: { n: 5, m: 5 } }, { 9: [1, 0] })).count).toBe(1);
  expect((await preview({ ...rule, required: { n: 6, m: 6 } }, { 9: [1, 0] })).count).toBe(0);
});

test('silence is previewed only from the last change to the record', async () => {
  const rule = { signal: 'silence', threshold: null, windowMinutes: 5 } as const;
  const { items } = await preview(rule, { 3: [1, 0] }, { updatedAt: before(8) });
  expect(items).toEqual([
    { recordId: 7, value: null, openedAt: before(1), closedAt: null },
    { recordId: 7, value: null, openedAt: before(7), closedAt: before(2) },
  ]);
});

test('a preview has at most a hundred incidents, the newest, and counts the others', async () => {
  const steps = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [2 * i + 1, [1, 0]]));
  const { count, items } = await preview({ signal: 'log', threshold: 1 }, steps as unknown as Steps);
  expect([count, items.length]).toEqual([120, 100]);
  expect(items[0]?.openedAt).toEqual(before(0));
});

test.each(['error', 'runtime'] as const)('the signal %s has no history to preview', async (signal) => {
  const previewed = preview({ signal, threshold: null }, {});
  await expect(previewed).rejects.toMatchObject({ code: 'invalid_input', attr: 'signal' });
});

test('an invalid rule cannot be previewed', async () => {
  await expect(preview({ threshold: 7 }, {})).rejects.toMatchObject({ attr: 'threshold' });
});
