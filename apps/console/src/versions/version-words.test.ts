import type { PluginVersion, UpgradePlan } from '@plugin-config/client';
import { describe, expect, test } from 'vitest';
import { entryChanges, followedVersion, progressText, upgradeText } from './version-words.ts';

const version = (name: string, schema: number, state: PluginVersion['state'] = 'supported') =>
  ({ version: name, schema_version: schema, state }) as PluginVersion;

/** The last registered first. */
const VERSIONS = [
  version('3', 3),
  version('2.1', 2, 'current'),
  version('2', 2),
  version('1.1', 1),
  version('1', 1),
];

describe('the version that a record follows', () => {
  test.for([
    ['the current one', 2, null, { version: '2.1', isPinned: false, isBehind: false }],
    ['the last one of an older schema', 1, null, { version: '1.1', isPinned: false, isBehind: true }],
    ['the one it is pinned to', 2, '2', { version: '2', isPinned: true, isBehind: false }],
    ['an older one it is pinned to', 1, '1', { version: '1', isPinned: true, isBehind: true }],
    ['none of a schema that is gone', 9, null, { version: undefined, isPinned: false, isBehind: true }],
  ] as const)('%s', ([, schema, pinned, expected]) => {
    const headers = new Headers({
      'x-schema-version': String(schema),
      ...(pinned && { 'x-plugin-version': pinned }),
    });
    const { followed, current, isPinned, isBehind } = followedVersion(VERSIONS, headers);
    expect({ version: followed?.version, isPinned, isBehind }).toEqual(expected);
    expect(current?.version).toBe('2.1');
  });
});

test('an upgrade shows the entries that come, go and change, and of secrets only that they do', () => {
  const changes = entryChanges(
    { config: '{"address":"a:1","token":"********","same":1}' },
    { config: '{"host":"a","same":1,"password":"********"}' },
  );
  expect(changes).toEqual([
    { field: 'config.address', before: 'a:1', after: null },
    { field: 'config.token', before: '********', after: null },
    { field: 'config.host', before: null, after: 'a' },
    { field: 'config.password', before: null, after: '********' },
  ]);
});

const PLAN = { version: '3', clean: 3, lossy: 1, needs_input: 1, unsupported: 2, pinned: 0 } as UpgradePlan;

test.for([
  [
    PLAN,
    false,
    '4 records will be upgraded to 3, 1 of which with a loss. These stay as they are: 1 needs input, 2 held up by runtimes.',
  ],
  [
    PLAN,
    true,
    '4 records will be upgraded to 3, 1 of which with a loss, and up to 2 in spite of runtimes. These stay as they are: 1 needs input.',
  ],
  [{ ...PLAN, clean: 1, lossy: 0, needs_input: 0, unsupported: 0 }, false, '1 record will be upgraded to 3.'],
] as const)('the confirmation of an upgrade says its counts', ([plan, force, text]) => {
  expect(upgradeText(plan, force)).toBe(text);
});

const PROGRESS = { total: 1200, done: 600, upgraded: 590, needs_input: 2, unsupported: 0, pinned: 8 };

test.for([
  ['running', '600 of 1,200 records visited: 590 records upgraded, 2 need input, 8 pinned.'],
  ['cancelled', 'Cancelled with 600 of 1,200 records visited: 590 records upgraded, 2 need input, 8 pinned.'],
  ['succeeded', '590 records upgraded, 2 need input, 8 pinned.'],
] as const)('an upgrade that is %s says what it has done', ([state, text]) => {
  expect(progressText({ state, progress: PROGRESS })).toBe(text);
});
