import fc from 'fast-check';
import { expect, test } from 'vitest';
import { localTimeOf, momentOf } from './local-time.ts';

const FIRST = Date.parse('2000-01-01T00:00:00Z');
const YEARS = 30 * 365 * 86_400_000;
const moment = fc.integer({ min: 0, max: YEARS }).map((ms) => new Date(FIRST + ms).toISOString());

test('a time survives conversion to local time and back', () => {
  fc.assert(
    fc.property(moment, (given) => {
      expect(momentOf(localTimeOf(given))).toBe(given);
    }),
  );
  expect(localTimeOf('')).toBe('');
  expect(momentOf('')).toBe('');
});
