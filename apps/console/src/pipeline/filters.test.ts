import type { ConfigRecord } from '@plugin-config/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filtersOf, matches, queryOf, type Filters } from './filters.ts';

const ALL = filtersOf(new URLSearchParams());
const GEO = {
  id: 5,
  plugin: 7,
  enabled: true,
  name: 'Visitors',
  description: 'By country',
  error: null,
  plugin_info: '{"id":7,"name":"GeoIP"}',
} as ConfigRecord;

test('an address holds its filters and no defaults', () => {
  const filters = fc.record({
    deleted: fc.constantFrom('', 'true'),
    enabled: fc.constantFrom('', 'true', 'false'),
    plugin: fc.oneof(fc.constant(''), fc.nat().map(String)),
    valid: fc.constantFrom('', 'true', 'false'),
    errors: fc.constantFrom('', 'true'),
    search: fc.string(),
  });
  fc.assert(
    fc.property(filters, (chosen) => {
      expect(filtersOf(new URLSearchParams(queryOf(chosen).toString()))).toEqual(chosen);
    }),
  );
  expect(queryOf(ALL).toString()).toBe('');
});

for (const [filters, isShown] of [
  [{}, true],
  [{ enabled: 'true' }, true],
  [{ enabled: 'false' }, false],
  [{ plugin: '7' }, true],
  [{ plugin: '70' }, false],
  [{ valid: 'true' }, true],
  [{ valid: 'false' }, false],
  [{ errors: 'true' }, false],
  [{ search: 'VISIT' }, true],
  [{ search: 'country' }, true],
  [{ search: 'geoip' }, true],
  [{ search: 'id' }, false],
] satisfies readonly (readonly [Partial<Filters>, boolean])[]) {
  test(`${JSON.stringify(filters)} ${isShown ? 'shows' : 'hides'} a record`, () => {
    expect(matches(GEO, { ...ALL, ...filters }, new Set([6]))).toBe(isShown);
  });
}

test('an invalid record is shown among the invalid ones alone', () => {
  expect(matches(GEO, { ...ALL, valid: 'false' }, new Set([5]))).toBe(true);
  expect(matches(GEO, { ...ALL, valid: 'true' }, new Set([5]))).toBe(false);
});
