import fc from 'fast-check';
import { expect, test } from 'vitest';
import { activityAddressOf, activityFiltersOf, activityQueryOf } from './family-activity-address.ts';

const filters = fc.record({
  record: fc.string(),
  activity: fc.string(),
  actor: fc.string(),
  from: fc.string(),
  to: fc.string(),
});

test('an address holds all filters', () => {
  fc.assert(
    fc.property(filters, (given) => {
      expect(activityFiltersOf(activityAddressOf(given))).toEqual(given);
    }),
  );
});

for (const [query, requested] of [
  ['', {}],
  ['?record=12&actor=operator', { record: '12', actor: 'operator' }],
  [
    '?activity=enabled&to=2026-03-01T00:00:00.000Z',
    { activity: 'enabled', before: '2026-03-01T00:00:00.000Z' },
  ],
  ['?from=2026-03-01T00:00:00.000Z', { after: '2026-02-28T23:59:59.999Z' }],
  ['?from=yesterday', { after: 'yesterday' }],
] as const) {
  test(`"${query}" requests ${JSON.stringify(requested)}`, () => {
    expect(activityQueryOf(activityFiltersOf(query))).toEqual(requested);
  });
}
