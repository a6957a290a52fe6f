import { expect, test } from 'vitest';
import { ownerOfKey } from './message-owner.ts';

test('what a key sends belongs to its project if it is bound to exactly one, and otherwise to the key', () => {
  expect(ownerOfKey({ id: 3, projectIds: [7] })).toBe('project 7');
  expect(ownerOfKey({ id: 3, projectIds: [7, 8] })).toBe('key 3');
  expect(ownerOfKey({ id: 3, projectIds: [] })).toBe('key 3');
});
