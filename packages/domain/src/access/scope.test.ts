import { expect, test } from 'vitest';
import { grantsScope, SCOPES, type Scope } from './scope.ts';

const OPENS: Readonly<Record<Scope, readonly Scope[]>> = {
  'plugin:read': ['plugin:read'],
  'plugin:write': ['plugin:read', 'plugin:write'],
  'plugin_log:write': ['plugin_log:write'],
  '*': SCOPES,
};

for (const held of SCOPES) {
  test(`${held} opens ${OPENS[held].join(', ')} and nothing else`, () => {
    expect(SCOPES.filter((needed) => grantsScope([held], needed))).toEqual(OPENS[held]);
  });
}

test('no scope opens nothing', () => {
  expect(SCOPES.filter((needed) => grantsScope([], needed))).toEqual([]);
});

test('several scopes open what each of them opens', () => {
  expect(SCOPES.filter((needed) => grantsScope(['plugin_log:write', 'plugin:read'], needed))).toEqual([
    'plugin:read',
    'plugin_log:write',
  ]);
});
