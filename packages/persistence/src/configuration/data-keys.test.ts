import type pg from 'pg';
import { expect, test } from 'vitest';
import { aPrimary } from '../testing/a-primary.ts';
import { TEST_KEYS } from '../testing/test-keys.ts';
import { newDataKeys, newWrappedKey } from './data-keys.ts';

const CACHE_MAX = 10_000;

/** Returns a database in which these projects have data keys, and the ids of the queried keys. */
function storeOf(hasKey: (projectId: number) => boolean = () => true) {
  const queriedIds: number[] = [];
  const query = async ({ values: [literal] }: { readonly values: readonly [string] }) => {
    const ids = literal.slice(1, -1).split(',').map(Number);
    const rows = ids.filter(hasKey).map((id) => {
      const { projectId, masterKeyId, wrapped } = newWrappedKey(TEST_KEYS, id);
      return [String(id), String(projectId), wrapped, masterKeyId];
    });
    queriedIds.push(...ids);
    return { rows };
  };
  return { queriedIds, pool: { query } as unknown as pg.Pool };
}

const PRIMARY = aPrimary();

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

test('data keys are loaded once, in one query, and at most 10,000 are cached', async () => {
  const { queriedIds, pool } = storeOf();
  const keys = newDataKeys({ masterKeys: TEST_KEYS, primary: PRIMARY });
  const keyOf = await keys.load(pool, [1, 2, 2]);
  expect(keyOf(1).key).not.toEqual(keyOf(2).key);
  expect((await keys.load(pool, [2, 1]))(1)).toBe(keyOf(1));
  expect(queriedIds).toEqual([1, 2]);
  await keys.load(pool, upTo(CACHE_MAX + 1));
  queriedIds.length = 0;
  await keys.load(pool, [1, CACHE_MAX + 1]);
  expect(queriedIds).toHaveLength(1);
});

test('after a failover, data keys are reloaded, since a new project may have the id of a lost one', async () => {
  const { queriedIds, pool } = storeOf();
  const primary = aPrimary();
  const keys = newDataKeys({ masterKeys: TEST_KEYS, primary });
  const before = (await keys.load(pool, [1]))(1);
  const during = keys.load(pool, [1, 2]);
  primary.failOver();
  await during;
  expect((await keys.load(pool, [1]))(1)).not.toEqual(before);
  await keys.load(pool, [2]);
  expect(queriedIds).toEqual([1, 2, 1, 2]);
});

test.for([
  [
    'missing',
    new Map([['other', Buffer.alloc(32)]]),
    /^Secrets are encrypted with the key "test", which is missing\. The operator/,
  ],
  [
    'different from the one that wrapped it',
    new Map([['test', Buffer.alloc(32)]]),
    /^The key "test" .* is not the key/,
  ],
] as const)('if the master key is %s, the error names its id', async ([, masterKeys, message]) => {
  const keys = newDataKeys({ masterKeys, primary: PRIMARY });
  const loading = keys.load(storeOf().pool, [1]);
  await expect(loading).rejects.toMatchObject({
    code: 'key_missing',
    message: expect.stringMatching(message),
    retryAfterSeconds: 60,
  });
});

test('the project of a missing data key is deleted, and a key moved to another project is an error', async () => {
  const keys = newDataKeys({ masterKeys: TEST_KEYS, primary: PRIMARY });
  const keyOf = await keys.load(storeOf((id) => id !== 2).pool, [1, 2]);
  expect(() => keyOf(2)).toThrow(expect.objectContaining({ code: 'project_not_found' }));
  const moved = { ...newWrappedKey(TEST_KEYS, 1), projectId: 3 };
  const query = async () => ({ rows: [['1', '3', moved.wrapped, moved.masterKeyId]] });
  const loading = keys.load({ query } as unknown as pg.Pool, [3]);
  await expect(loading).rejects.toMatchObject({ code: 'key_missing' });
});
