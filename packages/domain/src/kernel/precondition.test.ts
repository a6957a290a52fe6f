import { expect, test } from 'vitest';
import { checkPrecondition } from './precondition.ts';

test('without a precondition any version will do', () => {
  expect(() => checkPrecondition(null, 7)).not.toThrow();
});

test('a precondition holds for the versions that it names', () => {
  expect(() => checkPrecondition([3, 7], 7)).not.toThrow();
});

test('a precondition that does not name the version is stale, one that names none always', () => {
  for (const precondition of [[6, 8], []]) {
    expect(() => checkPrecondition(precondition, 7)).toThrow(
      expect.objectContaining({ code: 'stale_version' }),
    );
  }
});
