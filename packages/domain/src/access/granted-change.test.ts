import { expect, test } from 'vitest';
import type { RecordChange } from '../record/config-record.ts';
import { aConfigRecord } from '../record/config-record.fixture.ts';
import { grantedChange } from './granted-change.ts';

const RECORD = aConfigRecord({ plugin: 7, order: 3 });
const OWN: RecordChange = { name: 'Shop', description: null, enabled: true };
const CUSTOMER = { scopes: ['config:write'] } as const;

test('plugin:write changes every field', () => {
  const change: RecordChange = { ...OWN, plugin: 8, order: 4, deleted: true };
  expect(grantedChange({ scopes: ['plugin:write'] }, RECORD, change)).toBe(change);
});

test('config:write sends other fields back, and they are left out: another writer may have changed them', () => {
  expect(grantedChange(CUSTOMER, RECORD, { ...OWN, plugin: 7, order: 3, deleted: false })).toEqual(OWN);
});

const OTHERS: readonly RecordChange[] = [
  { plugin: 8 },
  { order: 4 },
  { deleted: true },
  { ...OWN, order: 4 },
];

test.for(OTHERS)('config:write cannot change %o', (change) => {
  expect(() => grantedChange(CUSTOMER, RECORD, change)).toThrow(
    expect.objectContaining({
      code: 'scope_missing',
      message: "API key missing required scope 'plugin:write'",
    }),
  );
});

test('config:write cannot restore a record', () => {
  const deleted = aConfigRecord({ deleted: true });
  expect(() => grantedChange(CUSTOMER, deleted, { deleted: false })).toThrow(
    "API key missing required scope 'plugin:write'",
  );
});
