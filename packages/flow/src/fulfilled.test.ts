import { expect, test } from 'vitest';
import { fulfilled } from './fulfilled.ts';

const failure = async (message: string): Promise<number> => {
  throw new Error(message);
};

test('one that fails does not keep the others back', async () => {
  expect(await fulfilled([failure('a'), Promise.resolve(1), Promise.resolve(2)])).toEqual([1, 2]);
  expect(await fulfilled([])).toEqual([]);
  await expect(fulfilled([failure('a'), failure('b')])).rejects.toThrow('a');
});
