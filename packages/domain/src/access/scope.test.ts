import { expect, test } from 'vitest';
import { holdsScope, SCOPES, type Scope } from './scope.ts';

const OPENS: Readonly<Record<Scope, readonly Scope[]>> = {
  'plugin:read': ['plugin:read'],
  'plugin:write': ['plugin:read', 'plugin:write'],
  'plugin_log:write': ['plugin_log:write'],
  '*': SCOPES,
};

for (const held of SCOPES) {
  test(`${held} opens ${OPENS[held].join(', ')} and nothing else`, () => {
    expect(SCOPES.filter((needed) => holdsScope([held], needed))).toEqual(OPENS[held]);
  });
}

test('no scope opens nothing', () => {
  expect(SCOPES.filter((needed) => holdsScope([], needed))).toEqual([]);
});

test('several scopes open what each of them opens', () => {
  expect(SCOPES.filter((needed) => holdsScope(['plugin_log:write', 'plugin:read'], needed))).toEqual([
    'plugin:read',
    'plugin_log:write',
  ]);
});
