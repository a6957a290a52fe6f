import { expect, test } from 'vitest';
import { anAlert } from './alert.fixture.ts';
import type { AlertRule } from './alert.ts';
import { windowStart } from './alert.ts';
import { readingOf } from './reading.ts';

const END = new Date('2026-03-01T12:00:00Z');
const LONG_AGO = new Date('2026-01-01T00:00:00Z');

function read(given: Partial<AlertRule>, count: number, { successes = 0, updatedAt = LONG_AGO } = {}) {
  const rule = anAlert(given);
  return readingOf(rule, { count, successes }, { start: windowStart(rule, END), updatedAt });
}

const RATE = { threshold: 0.95, minSamples: 100 };
const INCONCLUSIVE = { kind: 'inconclusive' };
const FINE = { kind: 'fine' };

test('a delivery rate breaches its rule below the threshold', () => {
  expect(read(RATE, 100, { successes: 95 })).toEqual(FINE);
  expect(read(RATE, 100, { successes: 94 })).toEqual({ kind: 'breached', value: 0.94 });
});

test('a delivery rate of an incident is rounded down', () => {
  expect(read(RATE, 30_000, { successes: 28_499 })).toEqual({ kind: 'breached', value: 0.9499 });
});

test('a delivery rate of too few deliveries is inconclusive', () => {
  expect(read(RATE, 99)).toEqual(INCONCLUSIVE);
  expect(read({ ...RATE, minSamples: 0 }, 0)).toEqual(INCONCLUSIVE);
  expect(read({ ...RATE, minSamples: 0 }, 1)).toEqual({ kind: 'breached', value: 0 });
});

test('a log breaches its rule when its errors reach the threshold', () => {
  const rule = { signal: 'log', threshold: 3 } as const;
  expect(read(rule, 2)).toEqual(FINE);
  expect(read(rule, 3)).toEqual({ kind: 'breached', value: 3 });
});

test.each(['error', 'outdated'] as const)('a breach of %s has no value', (signal) => {
  expect(read({ signal, threshold: null }, 0)).toEqual(FINE);
  expect(read({ signal, threshold: null }, 1)).toEqual({ kind: 'breached', value: null });
});

test('silence is inconclusive while the last change to the record is within the window', () => {
  const rule = { signal: 'silence', threshold: null, windowMinutes: 15 } as const;
  expect(read(rule, 1)).toEqual(FINE);
  expect(read(rule, 0)).toEqual({ kind: 'breached', value: null });
  const start = windowStart(rule, END).getTime();
  expect(read(rule, 0, { updatedAt: new Date(start) })).toEqual({ kind: 'breached', value: null });
  expect(read(rule, 0, { updatedAt: new Date(start + 1) })).toEqual(INCONCLUSIVE);
});

test('a failing runtime is a breach', () => {
  expect(read({ signal: 'runtime', threshold: null }, 0)).toEqual(FINE);
  expect(read({ signal: 'runtime', threshold: null }, 2)).toEqual({ kind: 'breached', value: 2 });
});
