import { expect, test } from 'vitest';
import { recentReadings } from './recent-readings.ts';

test('the last readings are kept, and the number of empty ones is bounded, too', () => {
  const recent = recentReadings<number>(() => 0);
  for (let n = 0; n < 20_000; n += 1) recent.add(String(n), n);
  const kept = Array.from({ length: 20_000 }, (_, n) => recent.get(String(n))).filter((n) => n !== undefined);
  expect(kept).toHaveLength(8192);
  expect(kept.at(-1)).toBe(19_999);
});
