import { expect, test } from 'vitest';
import { relativeTime } from './relative-time.ts';

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
