import { expect, test } from 'vitest';
import { readLifetime } from './read-lifetime.ts';

test.for([
  ['1m', 60_000],
  ['90m', 5_400_000],
  ['12h', 43_200_000],
  ['30d', 2_592_000_000],
  ['3650d', 315_360_000_000],
] as const)('%s is %i ms', ([text, ms]) => {
  expect(readLifetime(text)).toBe(ms);
});

test.for(['', '30', 'd', '0d', '-1d', '1.5h', '3651d', '30D', '1w', ' 1d', '1d '])(
  '"%s" is no lifetime',
  (text) => {
    expect(() => readLifetime(text)).toThrow('such as 90m, 12h or 30d');
  },
);
