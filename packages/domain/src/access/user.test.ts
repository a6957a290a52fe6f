import { describe, expect, test } from 'vitest';
import { labelOf, roleOf, userName, type RoleRules } from './user.ts';

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

  test.for([
    [true, 'support'],
    ['true', 'support'],
    [false, undefined],
    [undefined, undefined],
  ] as const)('by an email address whose email_verified is %s is %s', ([email_verified, role]) => {
    const rules = { claim: 'email', roles: RULES.roles };
    expect(roleOf(rules, { email: 'support', email_verified })?.value).toBe(role);
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

test('a user without a name is called by the subject, unless it is too long or deceives', () => {
  const subjects = ['248289761001', 'x\u202Egnp', 'a\nb', 'x'.repeat(255)];
  expect(subjects.map((subject) => labelOf({}, subject))).toEqual([
    '248289761001',
    ...Array.from({ length: 3 }, () => 'User without a name'),
  ]);
});
