import type { OwnedRecord } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { adoptionOf, appliedText, documentOf, fieldText, managersOf, summaryText } from './plan-text.ts';

const NOTHING = { create: 0, update: 0, delete: 0, restore: 0, move: 0 };

test('a plan is summarised in one sentence', () => {
  expect(summaryText({ summary: NOTHING })).toBe('Nothing would change.');
  expect(summaryText({ summary: { ...NOTHING, create: 2, delete: 1 } })).toBe(
    'This would attach 2, delete 1.',
  );
});

test('an apply is summarised in one sentence', () => {
  expect(appliedText({ summary: NOTHING })).toBe('Applied: no changes.');
  expect(appliedText({ summary: { ...NOTHING, create: 1, update: 2 } })).toBe(
    'Applied: 1 attached, 2 changed.',
  );
});

test('a field is described by its values, a secret by what happens to it', () => {
  expect(fieldText({ field: 'name', before: null, after: 'GeoIP' })).toBe('not set → GeoIP');
  expect(fieldText({ field: 'name', before: null, after: 'GeoIP' }, 'create')).toBe('GeoIP');
  expect(fieldText({ field: 'name', after: 'GeoIP' })).toBe('GeoIP');
  expect(fieldText({ field: 'config.a', before: 1 })).toBe('1 → not set');
  expect(fieldText({ field: 'config.token', secret: 'changed' })).toBe('will change');
});

test('invalid JSON is rejected with the reason', () => {
  expect(documentOf('{"format": 1, "manager": "a"}')).toEqual({ format: 1, manager: 'a' });
  expect(() => documentOf('{"format": }')).toThrow(/^Invalid document: Unexpected token/);
  expect(() => documentOf('{"config": {"account": 9007199254740993}}')).toThrow('too many digits');
});

test('managers have their records, and are sorted by name', () => {
  const record = (id: number, manager: string): OwnedRecord => ({
    id,
    manager,
    family: 'plugin_configs',
    key: `k${id}`,
  });
  expect(managersOf([record(1, 'b'), record(2, 'a'), record(3, 'b')])).toEqual([
    { name: 'a', owned: [record(2, 'a')] },
    { name: 'b', owned: [record(1, 'b'), record(3, 'b')] },
  ]);
});

test('a document starts with a record, under a key made from its name', () => {
  const [adopt, store] = adoptionOf(3, { id: 12, name: 'GeoIP (EU)' }).split('\n');
  expect(adopt).toContain(' config adopt plugin_configs/12=geoip-eu --project 3 ');
  expect(store).toContain(' config export --project 3 ');
  expect(adoptionOf(3, { id: 12, name: null })).toContain('plugin_configs/12=record-12 ');
  expect(adoptionOf(3, { id: 12, name: '日本' })).toContain('plugin_configs/12=record-12 ');
});
