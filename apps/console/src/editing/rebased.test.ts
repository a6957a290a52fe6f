import { expect, test } from 'vitest';
import { rebased } from './rebased.ts';

test('edits are kept on top of the changes of others', () => {
  const before = { name: 'Slow', window: '15', rate: '95', enabled: true };
  const form = { ...before, name: 'Slower', rate: '99' };
  const later = { ...before, window: '60', rate: '90', enabled: false };
  expect(rebased(form, before, later)).toEqual({ name: 'Slower', window: '60', rate: '99', enabled: false });
});
