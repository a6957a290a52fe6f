import { expect, test } from 'vitest';
import { grantsScope, SCOPES, type Scope } from './scope.ts';

const GRANTED: Readonly<Record<Scope, readonly Scope[]>> = {
  'plugin:read': ['plugin:read'],
  'plugin:write': ['plugin:read', 'plugin:write'],
  'plugin_log:write': ['plugin_log:write'],
  'key:write': ['key:write'],
  'project:write': ['project:write'],
  'plugin_registry:write': ['plugin_registry:write'],
  '*': SCOPES,
};

for (const scope of SCOPES) {
  test(`${scope} grants ${GRANTED[scope].join(', ')} and nothing else`, () => {
    expect(SCOPES.filter((needed) => grantsScope([scope], needed))).toEqual(GRANTED[scope]);
  });
}

test('no scope grants nothing', () => {
  expect(SCOPES.filter((needed) => grantsScope([], needed))).toEqual([]);
});

test('several scopes grant what each of them grants', () => {
  expect(SCOPES.filter((needed) => grantsScope(['plugin_log:write', 'plugin:read'], needed))).toEqual([
    'plugin:read',
    'plugin_log:write',
  ]);
});
