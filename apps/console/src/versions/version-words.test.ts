import type { PluginVersion } from '@plugin-config/client';
import { describe, expect, test } from 'vitest';
import { entryChanges, followedVersion } from './version-words.ts';

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
