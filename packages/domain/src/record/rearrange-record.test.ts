import { describe, expect, test } from 'vitest';
import type { LiveRecord } from './config-record-store.ts';
import type { RecordChange } from './config-record.ts';
import { pickRecord } from './rearrange-record.ts';

const LIVE: readonly LiveRecord[] = [
  { id: 1, order: 1, plugin: 7, enabled: true, name: 'A', description: 'same' },
  { id: 2, order: 2, plugin: 7, enabled: false, name: 'B', description: 'same' },
  { id: 3, order: 3, plugin: 7, enabled: false, name: null, description: null },
  { id: 4, order: 4, plugin: 7, enabled: false, name: '', description: null },
  { id: 5, order: 5, plugin: 8, enabled: true, name: 'Alone', description: null },
];

describe('the identified record', () => {
  const picks: readonly { readonly wanted: RecordChange; readonly id: number }[] = [
    { wanted: { plugin: 8 }, id: 5 },
    { wanted: { plugin: 8, name: 'Another', description: 'Another', enabled: false }, id: 5 },
    { wanted: { plugin: 8, deleted: false }, id: 5 },
    { wanted: { plugin: 7, name: 'B' }, id: 2 },
    { wanted: { plugin: 7, enabled: true }, id: 1 },
    { wanted: { plugin: 7, description: 'same', enabled: false }, id: 2 },
    { wanted: { plugin: 7, name: null }, id: 3 },
    { wanted: { plugin: 7, name: '' }, id: 4 },
    { wanted: { plugin: 7, name: null, description: null, enabled: false, deleted: false }, id: 3 },
    { wanted: { plugin: 7, name: 'B', enabled: undefined }, id: 2 },
  ];
  for (const { wanted, id } of picks) {
    test(`by ${JSON.stringify(wanted)} is ${id}`, () => {
      expect(pickRecord(LIVE, wanted).id).toBe(id);
    });
  }
});

describe('no record is found', () => {
  const misses: readonly RecordChange[] = [
    { plugin: 9 },
    { plugin: 7, name: 'C' },
    { plugin: 7, name: 'b' },
    { plugin: 7, name: 'A', enabled: false },
    { plugin: 8, deleted: true },
    { plugin: 7, name: 'A', deleted: true },
  ];
  for (const wanted of misses) {
    test(`by ${JSON.stringify(wanted)}`, () => {
      expect(() => pickRecord(LIVE, wanted)).toThrow(
        expect.objectContaining({ code: 'not_found', message: 'Not found.' }),
      );
    });
  }
});

describe('several records match', () => {
  const doubts: readonly { readonly wanted: RecordChange; readonly ids: string }[] = [
    { wanted: { plugin: 7 }, ids: '1, 2, 3, 4' },
    { wanted: { plugin: 7, deleted: false }, ids: '1, 2, 3, 4' },
    { wanted: { plugin: 7, description: 'same' }, ids: '1, 2' },
    { wanted: { plugin: 7, enabled: false, description: null }, ids: '3, 4' },
  ];
  for (const { wanted, ids } of doubts) {
    test(`by ${JSON.stringify(wanted)}: ${ids}`, () => {
      const message = expect.stringContaining(`match: ${ids}.`);
      const rejection = expect.objectContaining({ code: 'invalid_input', attr: 'plugin', message });
      expect(() => pickRecord(LIVE, wanted)).toThrow(rejection);
    });
  }
});

test('a record cannot be identified without a plugin', () => {
  expect(() => pickRecord(LIVE, { name: 'A' })).toThrow(
    expect.objectContaining({ code: 'required', attr: 'plugin', message: 'This field is required.' }),
  );
});
