import { expect, test } from 'vitest';
import type { Changes } from '../record/changes.ts';
import { differencesOf } from './differences.ts';

const MASK = '********';
const PLUGIN_INFO = JSON.stringify({
  name: 'P',
  config_schema: [
    { key: 'token', type: 'string', secret: true, name: 'Token' },
    { key: 'batch', type: 'number', name: 'Batch size' },
  ],
});

const recordOf = (entries: object, fields: object = {}) => ({
  name: 'n',
  description: null,
  enabled: true,
  plugin_info: PLUGIN_INFO,
  config: JSON.stringify(entries),
  ...fields,
});

const changes = (fields: Readonly<Record<string, string | number | undefined>>): Changes =>
  new Map(
    Object.entries(fields).map(([field, value]) => [field, { value, isSecret: field === 'config.token' }]),
  );

test('fields that either side changed are shown with both values, and no others', () => {
  const base = recordOf({ batch: 10, host: 'a', port: 1 });
  const theirs = recordOf({ batch: 20, host: 'a', port: 1 }, { description: 'new' });
  expect(differencesOf(base, theirs, changes({ 'config.batch': 30, 'config.host': undefined }))).toEqual([
    ['Description', 'new', 'new'],
    ['Batch size', '20', '30'],
    ['config.host', 'a', 'not set'],
  ]);
});

test('a secret is only shown as set, changed or not set', () => {
  const base = recordOf({ token: MASK });
  const mine = changes({ 'config.token': 'canary' });
  expect(differencesOf(base, recordOf({ token: MASK }), mine)).toEqual([['Token', 'set', 'changed']]);
  expect(differencesOf(base, recordOf({}), mine)).toEqual([['Token', 'not set', 'changed']]);
  const reference = recordOf({ token: { $ref: 'env://TOKEN' } });
  expect(differencesOf(base, reference, changes({ 'config.token': undefined }))).toEqual([
    ['Token', 'reference env://TOKEN', 'not set'],
  ]);
});
