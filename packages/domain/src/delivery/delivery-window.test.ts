import { expect, test } from 'vitest';
import { DAY_MS } from '../log/log-days.ts';
import { deliveryWindow, SPAN_MS, spanOf, nextWindowChange } from './delivery-window.ts';

const NOW = new Date('2026-03-10T12:34:56.789Z');

test('a window has the current span and all spans that began within the last day', () => {
  const { first, last } = deliveryWindow(NOW);
  expect(new Date(last)).toEqual(new Date('2026-03-10T12:30:00Z'));
  expect(new Date(first)).toEqual(new Date('2026-03-09T12:35:00Z'));
  expect((last - first) / SPAN_MS + 1).toBe(DAY_MS / SPAN_MS);
});

test('a span enters or leaves the window exactly at its change time', () => {
  const window = deliveryWindow(NOW);
  const contains = (span: number, at: number): boolean => {
    const { first, last } = deliveryWindow(new Date(at));
    return span >= first && span <= last;
  };
  for (const span of [window.first, window.last, window.last + SPAN_MS, spanOf(NOW.getTime() + DAY_MS)]) {
    const turn = nextWindowChange([span], window);
    expect(turn).toBeGreaterThan(NOW.getTime());
    expect(contains(span, turn - 1)).not.toBe(contains(span, turn));
  }
});

test('any window changes no later than when its last span leaves', () => {
  const window = deliveryWindow(NOW);
  expect(nextWindowChange([], window)).toBe(window.last + DAY_MS);
  expect(nextWindowChange([window.last + 3 * DAY_MS], window)).toBe(window.last + DAY_MS);
  expect(nextWindowChange([window.last, window.first], window)).toBe(window.first + DAY_MS);
});
