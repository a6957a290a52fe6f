import { expect, test } from 'vitest';
import { aPrimary } from '../testing/a-primary.ts';
import { perTimeline } from './timeline.ts';

test('work that began on an earlier timeline stores nothing in the cache of the current one', () => {
  const primary = aPrimary();
  const cacheOf = perTimeline(() => new Set<string>());
  const before = cacheOf(primary.timeline);
  primary.failOver();
  before.add('read late');
  expect([cacheOf(primary.timeline), before]).toEqual([new Set(), new Set(['read late'])]);
  expect(cacheOf(primary.timeline)).toBe(cacheOf(primary.timeline));
});
