import { describe, expect, test } from 'vitest';
import { userName, roleOf, type RoleRules } from './user.ts';

const RULES: RoleRules = {
  claim: 'groups',
  roles: [
    { value: 'admins', scopes: ['*'], projectIds: null },
    { value: 'support', scopes: ['plugin:read'], projectIds: null },
    { value: '7', scopes: ['plugin:write'], projectIds: ['ext:acme'] },
  ],
};

describe('a role', () => {
  test.for([
    ['a list', ['staff', 'support'], 'support'],
    ['the first of several', ['support', 'admins'], 'admins'],
    ['a text', 'support', 'support'],
    ['a number', 7, '7'],
    ['no value of a role', ['staff'], undefined],
    ['a part of a value', ['supporters', 'Support', ' support'], undefined],
    ['an object', { support: true }, undefined],
    ['a nested list', [['support']], undefined],
    ['nothing', undefined, undefined],
  ] as const)('is that of %s', ([, groups, role]) => {
    expect(roleOf(RULES, { groups })?.value).toBe(role);
  });

  test('is of an own claim only', () => {
    expect(roleOf({ ...RULES, claim: 'constructor' }, {})).toBeNull();
  });
});

describe('the name of a user', () => {
  test.for([
    [{ name: ' Ada ', email: 'ada@example.com' }, 'Ada'],
    [{ name: '', preferred_username: 'ada' }, 'ada'],
    [{ name: 7, email: 'ada@example.com' }, 'ada@example.com'],
    [{ name: 'x'.repeat(401), email: 'ada@example.com' }, 'ada@example.com'],
    [{ name: 'operator\u202e', preferred_username: 'a\nda' }, null],
    [{ sub: '1' }, null],
  ] as const)('of %j is %j', ([claims, name]) => {
    expect(userName(claims)).toBe(name);
  });
});
