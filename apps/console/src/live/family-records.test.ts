import { pluginConfigClient, type ConfigRecord } from '@plugin-config/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAtVersion, merged, readFamily } from './family-records.ts';

const record = fc.record({
  id: fc.integer({ min: 1, max: 30 }),
  order: fc.integer({ min: 1, max: 30 }),
  deleted: fc.boolean(),
}) as fc.Arbitrary<ConfigRecord>;
const records = fc.uniqueArray(record, { selector: ({ id }) => id });

test('changed records replace earlier ones, deleted ones are removed, and the list stays sorted', () => {
  fc.assert(
    fc.property(records, records, (known, changed) => {
      const earlier = merged([], known);
      const later = merged(earlier, changed);
      const changedIds = new Set(changed.map(({ id }) => id));
      const expected = [...earlier.filter(({ id }) => !changedIds.has(id)), ...changed]
        .filter(({ deleted }) => !deleted)
        .toSorted((a, b) => a.order - b.order || a.id - b.id);
      expect(later).toEqual(expected);
      expect(merged(later, [])).toBe(later);
    }),
  );
});

test('changes on several pages are current up to the last page, so none is read twice', async () => {
  const base = 'http://service/api/projects/1/plugin_configs';
  const requested: (string | null)[] = [];
  const { pluginConfigs } = pluginConfigClient({
    url: 'http://service',
    key: 'phx_test',
    fetch: async (input) => {
      const since = new URL(new Request(input).url).searchParams.get('changed_since');
      requested.push(since);
      const isLast = since === '5f3a9c1e.1.4.7-2';
      const next = isLast ? null : `${base}?changed_since=5f3a9c1e.1.4.7-2`;
      const results = [{ id: isLast ? 3 : 2, order: 1, deleted: false }];
      const headers = {
        'x-family-version': isLast ? '5f3a9c1e.1.4.9' : '5f3a9c1e.1.4.7-2',
        etag: isLast ? '"9"' : '"7"',
      };
      return Response.json({ count: 2, next, previous: null, results }, { headers });
    },
  }).project(1);
  const earlier = { version: '5f3a9c1e.1.4.5', tag: '"5"', records: [] };
  const state = await readFamily(pluginConfigs, earlier, {});
  expect(requested).toEqual(['5f3a9c1e.1.4.5', '5f3a9c1e.1.4.7-2']);
  expect(state).toMatchObject({ version: '5f3a9c1e.1.4.9', tag: '"9"', records: [{ id: 2 }, { id: 3 }] });
});

test('what is cached is current if each list and record has the version', () => {
  const list = (version: string) => ({ version, tag: '', records: [] });
  expect(isAtVersion([list('a.1.2'), new Set([7]), undefined, null], 'a.1.2')).toBe(true);
  expect(isAtVersion([list('a.1.2'), list('a.1.1')], 'a.1.2')).toBe(false);
  expect(isAtVersion([new Set([7]), undefined], 'a.1.2')).toBe(false);
});
