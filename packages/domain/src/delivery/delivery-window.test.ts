import { expect, test } from 'vitest';
import { DAY_MS } from '../log/log-days.ts';
import { deliveryWindow, SPAN_MS, spanOf, turnOf } from './delivery-window.ts';

const NOW = new Date('2026-03-10T12:34:56.789Z');

test('a window is the span that is running and all that began since a day ago', () => {
  const { first, last } = deliveryWindow(NOW);
  expect(new Date(last)).toEqual(new Date('2026-03-10T12:30:00Z'));
  expect(new Date(first)).toEqual(new Date('2026-03-09T12:40:00Z'));
  expect((last - first) / SPAN_MS + 1).toBe(DAY_MS / SPAN_MS);
});

test('the window is another from the turn of a span on, and not before', () => {
  const window = deliveryWindow(NOW);
  const contains = (span: number, at: number): boolean => {
    const { first, last } = deliveryWindow(new Date(at));
    return span >= first && span <= last;
  };
  for (const span of [window.first, window.last, window.last + SPAN_MS, spanOf(NOW.getTime() + DAY_MS)]) {
    const turn = turnOf(span, window);
    expect(turn).toBeGreaterThan(NOW.getTime());
    expect(contains(span, turn - 1)).not.toBe(contains(span, turn));
  }
});
