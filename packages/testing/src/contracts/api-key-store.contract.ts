import { SCOPES } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aKeyHash, anApiKey } from '../builders/an-api-key.ts';
import { secondsLater } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';

export function apiKeyStoreContract(test: TestWith<Ports>): void {
  test('a new key is returned without its hash, unused and unrevoked', async ({ keys }) => {
    const { hash, ...given } = anApiKey({ label: 'CI 🤖', scopes: [...SCOPES], expiresAt: secondsLater(60) });
    const key = await keys.add({ ...given, hash });
    expect(key).toEqual({ ...given, id: key.id, lastUsedAt: null, revokedAt: null });
    expect(JSON.stringify(await keys.list())).not.toContain(hash);
  });

  test('keys are listed as they were added, oldest first', async ({ keys }) => {
    const first = await keys.add(anApiKey({ hash: aKeyHash(1), label: 'b' }));
    const second = await keys.add(anApiKey({ hash: aKeyHash(2), label: 'a' }));
    expect(await keys.list()).toEqual([first, second]);
  });

  test('a key may be bound to projects', async ({ keys, projects }) => {
    const one = await projects.create('One', secondsLater(0));
    await projects.create('Two', secondsLater(0));
    const three = await projects.create('Three', secondsLater(0));
    const key = await keys.add(anApiKey({ projectIds: [one.id, three.id] }));
    expect(key.projectIds.toSorted((a, b) => a - b)).toEqual([one.id, three.id]);
    expect(await keys.list()).toEqual([key]);
  });

  test('a key for a missing project is refused and not stored', async ({ keys, projects }) => {
    const { id } = await projects.create('One', secondsLater(0));
    const adding = keys.add(anApiKey({ projectIds: [id, id + 1] }));
    await expect(adding).rejects.toMatchObject({ name: 'DomainError', code: 'does_not_exist' });
    expect(await keys.list()).toEqual([]);
  });

  test('a revoked key keeps the time at which it was first revoked', async ({ keys }) => {
    const { id } = await keys.add(anApiKey());
    expect(await keys.revoke(id, secondsLater(1))).toBe(true);
    expect(await keys.revoke(id, secondsLater(2))).toBe(true);
    expect(await keys.list()).toMatchObject([{ id, revokedAt: secondsLater(1) }]);
  });

  test('revoking one key leaves the others unchanged', async ({ keys }) => {
    const revoked = await keys.add(anApiKey({ hash: aKeyHash(1) }));
    const other = await keys.add(anApiKey({ hash: aKeyHash(2) }));
    await keys.revoke(revoked.id, secondsLater(1));
    expect((await keys.list()).find(({ id }) => id === other.id)).toEqual(other);
  });

  test('a missing key cannot be revoked', async ({ keys }) => {
    expect(await keys.revoke(4711, secondsLater(1))).toBe(false);
  });

  test('the last use of each key is stored', async ({ keys }) => {
    const first = await keys.add(anApiKey({ hash: aKeyHash(1) }));
    const second = await keys.add(anApiKey({ hash: aKeyHash(2) }));
    const unused = await keys.add(anApiKey({ hash: aKeyHash(3) }));
    await keys.touch(
      new Map([
        [first.id, secondsLater(1)],
        [second.id, secondsLater(2)],
      ]),
    );
    expect((await keys.list()).map(({ id, lastUsedAt }) => [id, lastUsedAt])).toEqual([
      [first.id, secondsLater(1)],
      [second.id, secondsLater(2)],
      [unused.id, null],
    ]);
  });

  test('an older use never replaces a newer one', async ({ keys }) => {
    const { id } = await keys.add(anApiKey());
    await keys.touch(new Map([[id, secondsLater(2)]]));
    await keys.touch(new Map([[id, secondsLater(1)]]));
    expect(await keys.list()).toMatchObject([{ lastUsedAt: secondsLater(2) }]);
    await keys.touch(new Map([[id, secondsLater(3)]]));
    expect(await keys.list()).toMatchObject([{ lastUsedAt: secondsLater(3) }]);
  });

  test('the newest of several concurrently reported uses is kept, in any order', async ({ keys }) => {
    const added = await Promise.all([1, 2, 3, 4].map((n) => keys.add(anApiKey({ hash: aKeyHash(n) }))));
    const usesAt = (seconds: number) => added.map(({ id }) => [id, secondsLater(seconds)] as const);
    await Promise.all(
      [3, 9, 1, 7, 5].flatMap((seconds) => [
        keys.touch(new Map(usesAt(seconds))),
        keys.touch(new Map(usesAt(seconds).toReversed())),
      ]),
    );
    expect((await keys.list()).map(({ lastUsedAt }) => lastUsedAt)).toEqual(added.map(() => secondsLater(9)));
  });

  test('an empty list of uses and uses of a missing key store nothing', async ({ keys }) => {
    await keys.touch(new Map());
    await keys.touch(new Map([[4711, secondsLater(1)]]));
    expect(await keys.list()).toEqual([]);
  });
}
