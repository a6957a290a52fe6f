import { expect, test } from 'vitest';
import { ownerOfKey } from './message-owner.ts';

test('messages belong to the project of a key that is bound to exactly one, and otherwise to its account', () => {
  expect(ownerOfKey({ accountId: 3, projectIds: [7] })).toBe('project 7');
  expect(ownerOfKey({ accountId: 3, projectIds: [7, 8] })).toBe('account 3');
  expect(ownerOfKey({ accountId: 3, projectIds: [] })).toBe('account 3');
});
