import { expect, test } from 'vitest';
import { changedFields, isRestorable, shownChange } from './shown-change.ts';

const cut = `${'x'.repeat(1000)}… (5 more characters)`;

for (const [field, before, after, shown] of [
  ['enabled', false, true, { kind: 'values', label: 'Enabled', before: 'no', after: 'yes' }],
  ['name', null, 'GeoIP', { kind: 'values', label: 'Name', before: 'not set', after: 'GeoIP' }],
  ['description', 'a\nb', '', { kind: 'values', label: 'Description', before: 'a\nb', after: 'empty' }],
  ['description', 'a\nb', 'b', { kind: 'lines', label: 'Description', before: 'a\nb', after: 'b' }],
  ['order', 1, 2, { kind: 'values', label: 'Position', before: '1', after: '2' }],
  ['config.host', 'a', 'b', { kind: 'values', label: 'Configuration: host', before: 'a', after: 'b' }],
  [
    'config.rules',
    [],
    [1],
    { kind: 'lines', label: 'Configuration: rules', before: '[]', after: '[\n  1\n]' },
  ],
  ['config.token', null, '********', { kind: 'secret', label: 'Configuration: token', text: 'set' }],
  [
    'config.token',
    '********',
    '********',
    { kind: 'secret', label: 'Configuration: token', text: 'changed' },
  ],
  ['config.token', '********', '', { kind: 'secret', label: 'Configuration: token', text: 'cleared' }],
  [
    'config.token',
    '********',
    { $ref: 'env://TOKEN' },
    {
      kind: 'values',
      label: 'Configuration: token',
      before: 'secret value',
      after: 'reference env://TOKEN',
    },
  ],
  [
    'config.token',
    { $ref: 'env://TOKEN' },
    null,
    { kind: 'values', label: 'Configuration: token', before: 'reference env://TOKEN', after: 'not set' },
  ],
] as const) {
  test(`${field} from ${JSON.stringify(before)} to ${JSON.stringify(after)} is shown as ${shown.kind}`, () => {
    expect(shownChange({ field, before, after })).toEqual(shown);
  });
}

for (const [field, value, expected] of [
  ['name', 'GeoIP', true],
  ['name', null, true],
  ['enabled', true, true],
  ['config.host', { a: 1 }, true],
  ['config.token', '********', false],
  ['config.token', { $ref: 'env://TOKEN' }, true],
  ['config.host', cut, false],
  ['order', 3, false],
  ['plugin', 3, false],
] as const) {
  test(`${field} ${expected ? 'can' : 'cannot'} be restored to ${JSON.stringify(value).slice(0, 20)}`, () => {
    expect(isRestorable({ field, before: value, after: 'b' }, value)).toBe(expected);
  });
}

test.for([
  ['updated', ['name', 'description'], ['Name', 'Description']],
  ['config_updated', ['config.host'], ['host']],
  ['disabled', ['enabled', 'description'], ['Description']],
  ['rearranged', ['order'], []],
  ['created', ['plugin', 'name'], []],
] as const)(
  'of a record that was %s, a line names the fields that the word does not',
  ([activity, fields, named]) => {
    expect(changedFields(activity, fields)).toEqual(named);
  },
);
