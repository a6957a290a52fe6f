import { expect, test } from 'vitest';
import { DAY_MS, acceptedTimes, startOfDay } from './log-days.ts';

const NOW = new Date('2026-03-10T12:34:56.789Z');

test('a day begins at midnight in UTC', () => {
  expect(startOfDay(NOW.getTime())).toBe(Date.parse('2026-03-10'));
  expect(startOfDay(Date.parse('2026-03-10'))).toBe(Date.parse('2026-03-10'));
  expect(startOfDay(-1)).toBe(-DAY_MS);
});

test('the accepted times begin at midnight and cover the whole retention', () => {
  const { earliest, latest } = acceptedTimes(NOW, 7);
  expect(new Date(earliest)).toEqual(new Date('2026-03-03'));
  expect(new Date(latest)).toEqual(new Date('2026-03-11T12:34:56.789Z'));
});
