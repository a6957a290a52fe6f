import fc from 'fast-check';
import { expect, test } from 'vitest';
import { localTimeOf, momentOf, rateText, relativeTime } from './format.ts';

for (const [rate, text] of [
  [null, '–'],
  ['0.0000', '0%'],
  ['0.9873', '98.7%'],
  ['0.9999', '99.9%'],
  ['1.0000', '100%'],
] as const) {
  test(`the rate ${rate} is shown as ${text}`, () => {
    expect(rateText(rate)).toBe(text);
  });
}

const NOW = Date.parse('2026-05-04T12:00:00Z');
const DAY = 86_400;

for (const [seconds, text] of [
  [0, 'just now'],
  [-9, 'just now'],
  [-10, '10 seconds ago'],
  [-59, '59 seconds ago'],
  [-60, '1 minute ago'],
  [-3599, '59 minutes ago'],
  [-3600, '1 hour ago'],
  [-DAY + 1, '23 hours ago'],
  [-DAY, '1 day ago'],
  [-45 * DAY, '1 month ago'],
  [-800 * DAY, '2 years ago'],
  [2 * DAY, 'in 2 days'],
] as const) {
  test(`${seconds} seconds from now is "${text}"`, () => {
    expect(relativeTime(NOW + seconds * 1000, NOW)).toBe(text);
  });
}

test('a time survives conversion to local time and back', () => {
  const start = Date.parse('2000-01-01T00:00:00Z');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30 * 365 * DAY * 1000 }), (ms) => {
      const given = new Date(start + ms).toISOString();
      expect(momentOf(localTimeOf(given))).toBe(given);
    }),
  );
  expect(localTimeOf('')).toBe('');
  expect(momentOf('')).toBe('');
});
