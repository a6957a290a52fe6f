import { expect, test } from 'vitest';
import { checkPrecondition } from './precondition.ts';

test('without a precondition any version is accepted', () => {
  expect(() => checkPrecondition(null, 7)).not.toThrow();
});

test('a precondition accepts the versions that it names', () => {
  expect(() => checkPrecondition([3, 7], 7)).not.toThrow();
});

test('a precondition without the current version is stale, and an empty one always is', () => {
  for (const precondition of [[6, 8], []]) {
    expect(() => checkPrecondition(precondition, 7)).toThrow(
      expect.objectContaining({ code: 'stale_version' }),
    );
  }
});
