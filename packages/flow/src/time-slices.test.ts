import { expect, test } from 'vitest';
import { inSlices } from './time-slices.ts';

test('work yields only when its slice is over', async () => {
  const seen: string[] = [];
  function* work(): Generator<void, string, void> {
    for (const step of ['one', 'two', 'three']) {
      seen.push(step);
      yield;
    }
    return 'done';
  }
  const yieldTurn = async (): Promise<void> => {
    seen.push('others');
  };
  expect(await inSlices(work(), { isDue: () => seen.at(-1) === 'two', yieldTurn })).toBe('done');
  expect(seen).toEqual(['one', 'two', 'others', 'three']);
});

test('an error in the work is rethrown', async () => {
  function* work(): Generator<void, never, void> {
    yield;
    throw new Error('rejected');
  }
  const slices = { isDue: () => false, yieldTurn: async () => undefined };
  await expect(inSlices(work(), slices)).rejects.toThrow('rejected');
});
