import type pg from 'pg';
import { expect, test } from 'vitest';
import { TEST_KEYS } from '../testing/test-keys.ts';
import { hexOf } from './ciphertext.ts';
import { newDataKeys, newWrappedKey } from './data-keys.ts';

const KEPT_MAX = 10_000;

/** A database in which each of these projects has a data key. Counts the keys that it is asked for. */
function storeOf(isThere: (projectId: number) => boolean = () => true) {
  const asked: number[] = [];
  const query = async ({ values: [literal] }: { readonly values: readonly [string] }) => {
    const ids = literal.slice(1, -1).split(',').map(Number);
    const rows = ids.filter(isThere).map((id) => {
      const { projectId, masterKeyId, wrapped } = newWrappedKey(TEST_KEYS, id);
      return [String(id), String(projectId), masterKeyId, hexOf(wrapped)];
    });
    asked.push(...ids);
    return { rows };
  };
  return { asked, on: { query } as unknown as pg.Pool };
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

test('a data key is loaded once, with the others that are needed, and at most 10,000 are kept', async () => {
  const { asked, on } = storeOf();
  const keys = newDataKeys({ masterKeys: TEST_KEYS, primary: { connectionEpoch: 1 } });
  const keyOf = await keys.load(on, [1, 2, 2]);
  expect(keyOf(1).key).not.toEqual(keyOf(2).key);
  expect((await keys.load(on, [2, 1]))(1)).toBe(keyOf(1));
  expect(asked).toEqual([1, 2]);
  await keys.load(on, upTo(KEPT_MAX + 1));
  asked.length = 0;
  await keys.load(on, [1, KEPT_MAX + 1]);
  expect(asked).toHaveLength(1);
});

test('after a failover, data keys are loaded again: a project may have got the id of a lost one', async () => {
  const { asked, on } = storeOf();
  const primary = { connectionEpoch: 1 };
  const keys = newDataKeys({ masterKeys: TEST_KEYS, primary });
  const before = (await keys.load(on, [1]))(1);
  primary.connectionEpoch += 1;
  expect((await keys.load(on, [1]))(1)).not.toEqual(before);
  expect(asked).toEqual([1, 1]);
});

test.for([
  ['missing', new Map([['other', Buffer.alloc(32)]]), /^The key "test".* is missing\. The operator/],
  ['not the one that wrapped it', new Map([['test', Buffer.alloc(32)]]), /^The key "test" .* is not the one/],
] as const)(
  'a data key whose master key is %s is told by the id of that key',
  async ([, masterKeys, message]) => {
    const keys = newDataKeys({ masterKeys, primary: { connectionEpoch: 1 } });
    const loading = keys.load(storeOf().on, [1]);
    await expect(loading).rejects.toMatchObject({
      code: 'key_missing',
      message: expect.stringMatching(message),
      retryAfterSeconds: 60,
    });
  },
);

test('a project without a data key is an error, as is a key that was moved to another project', async () => {
  const keys = newDataKeys({ masterKeys: TEST_KEYS, primary: { connectionEpoch: 1 } });
  const keyOf = await keys.load(storeOf((id) => id !== 2).on, [1, 2]);
  expect(() => keyOf(2)).toThrow('Project 2 has no data key.');
  const moved = { ...newWrappedKey(TEST_KEYS, 1), projectId: 3 };
  const query = async () => ({ rows: [['1', '3', moved.masterKeyId, hexOf(moved.wrapped)]] });
  const loading = keys.load({ query } as unknown as pg.Pool, [3]);
  await expect(loading).rejects.toMatchObject({ code: 'key_missing' });
});
