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
    outdated: fc.constantFrom('', 'true', 'false'),
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
  [{ outdated: 'true' }, false],
  [{ outdated: 'false' }, true],
  [{ errors: 'true' }, false],
  [{ search: 'VISIT' }, true],
  [{ search: 'country' }, true],
  [{ search: 'geoip' }, true],
  [{ search: 'id' }, false],
] satisfies readonly (readonly [Partial<Filters>, boolean])[]) {
  test(`${JSON.stringify(filters)} ${isShown ? 'shows' : 'hides'} a record`, () => {
    expect(matches(GEO, { ...ALL, ...filters }, { invalid: new Set([6]), outdated: new Set([6]) })).toBe(
      isShown,
    );
  });
}

test('an invalid or outdated record is shown among those alone', () => {
  const marked = { invalid: new Set([5]), outdated: new Set([5]) };
  expect(matches(GEO, { ...ALL, valid: 'false', outdated: 'true' }, marked)).toBe(true);
  expect(matches(GEO, { ...ALL, valid: 'true' }, marked)).toBe(false);
  expect(matches(GEO, { ...ALL, outdated: 'false' }, marked)).toBe(false);
});
