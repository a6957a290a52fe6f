import { canIssue, powersOf, SCOPES, type ApiKey, type ApiKeyStore } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aKeyHash, anApiKey } from '../builders/an-api-key.ts';
import { anAuthor, secondsLater } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';

async function all(keys: ApiKeyStore): Promise<readonly ApiKey[]> {
  return (await keys.list({ limit: 1000, offset: 0 }, null)).items;
}

export function apiKeyStoreContract(test: TestWith<Ports>): void {
  test('a new key is returned without its hash, unused and unrevoked', async ({ keys }) => {
    const { hash, ...given } = anApiKey({ label: 'CI 🤖', scopes: [...SCOPES], expiresAt: secondsLater(60) });
    const key = await keys.add({ ...given, hash }, anAuthor());
    expect(key).toEqual({ ...given, id: key.id, accountId: key.id, lastUsedAt: null, revokedAt: null });
    expect(JSON.stringify(await all(keys))).not.toContain(hash);
  });

  test('keys are listed in the order they were added', async ({ keys }) => {
    const first = await keys.add(anApiKey({ hash: aKeyHash(1), label: 'b' }), anAuthor());
    const second = await keys.add(anApiKey({ hash: aKeyHash(2), label: 'a' }), anAuthor());
    expect(await all(keys)).toEqual([first, second]);
  });

  test('a key for a missing project is rejected and not stored', async ({ keys, projects }) => {
    const { id } = await projects.create({ name: 'One' }, anAuthor());
    const adding = keys.add(anApiKey({ projectIds: [id, id + 1] }), anAuthor());
    await expect(adding).rejects.toMatchObject({ name: 'DomainError', code: 'does_not_exist' });
    expect(await all(keys)).toEqual([]);
  });

  test('a revoked key keeps the time at which it was first revoked', async ({ keys }) => {
    const { id } = await keys.add(anApiKey(), anAuthor());
    expect(await keys.revoke(id, null, anAuthor({ at: secondsLater(1) }))).toBe(true);
    expect(await keys.revoke(id, null, anAuthor({ at: secondsLater(2) }))).toBe(true);
    expect(await all(keys)).toMatchObject([{ id, revokedAt: secondsLater(1) }]);
  });

  test('of several concurrent revocations, one takes effect and its time is kept', async ({
    keys,
    audit,
  }) => {
    const { id } = await keys.add(anApiKey(), anAuthor());
    const revoke = (n: number) => keys.revoke(id, null, anAuthor({ at: secondsLater(n) }));
    expect(await Promise.all([1, 2, 3, 4, 5].map(revoke))).toEqual([true, true, true, true, true]);
    const { items } = await audit.page({ limit: 10, offset: 0 });
    const revocations = items.filter(({ action }) => action === 'key_revoked');
    expect(revocations).toHaveLength(1);
    expect(await keys.find(id)).toMatchObject({ revokedAt: revocations[0]?.at });
  });

  test('powers give access to exactly the keys they could issue', async ({ keys, projects }) => {
    const { id: one } = await projects.create({ name: 'One' }, anAuthor());
    const { id: two } = await projects.create({ name: 'Two' }, anAuthor());
    const scopes = [['plugin:read'], ['plugin:write', 'key:write'], ['*']] as const;
    const bindings = [[], [one], [one, two]] as const;
    const ends = [null, secondsLater(60), secondsLater(120)];
    const issued: ApiKey[] = [];
    for (const own of scopes) {
      for (const projectIds of bindings) {
        for (const expiresAt of ends) {
          const key = anApiKey({ hash: aKeyHash(issued.length), scopes: own, projectIds, expiresAt });
          issued.push(await keys.add(key, anAuthor()));
        }
      }
    }
    for (const issuer of issued) {
      const powers = powersOf(issuer);
      const visible = issued.filter((key) => canIssue(powers, key));
      expect(await keys.list({ limit: 100, offset: 0 }, powers)).toEqual({
        count: visible.length,
        items: visible,
      });
    }
    const weak = powersOf({ scopes: ['plugin:read'], projectIds: [one], expiresAt: null });
    for (const { id } of issued) await keys.revoke(id, weak, anAuthor({ at: secondsLater(9) }));
    const revoked = (await all(keys)).filter(({ revokedAt }) => revokedAt !== null);
    expect(revoked.map(({ id }) => id)).toEqual(
      issued.filter((key) => canIssue(weak, key)).map(({ id }) => id),
    );
    expect(revoked.length).toBe(3);
  });

  test('a revoked key issues no more keys, even in requests that began before', async ({ keys }) => {
    const { id: keyId, label } = await keys.add(anApiKey({ hash: aKeyHash(1) }), anAuthor());
    const author = anAuthor({ actor: { keyId, label }, at: secondsLater(1) });
    const child = await keys.add(anApiKey({ hash: aKeyHash(2) }), author);
    await keys.revoke(keyId, null, anAuthor({ at: secondsLater(2) }));
    const adding = keys.add(anApiKey({ hash: aKeyHash(3) }), author);
    await expect(adding).rejects.toMatchObject({ name: 'DomainError', code: 'authentication_failed' });
    expect((await all(keys)).map(({ id }) => id)).toEqual([keyId, child.id]);
  });

  test('a key issued during the revocation of its issuer exists right after it, or never', async ({
    keys,
  }) => {
    const { id: keyId, label } = await keys.add(anApiKey({ hash: aKeyHash(0) }), anAuthor());
    const author = anAuthor({ actor: { keyId, label } });
    const issue = (n: number) => keys.add(anApiKey({ hash: aKeyHash(n) }), author);
    const earlier = [1, 2, 3].map(issue);
    const revoking = keys.revoke(keyId, null, anAuthor({ at: secondsLater(1) }));
    const later = [4, 5, 6, 7, 8, 9].map(issue);
    const ended = Promise.allSettled([...earlier, ...later]);
    await revoking;
    const afterRevocation = await all(keys);
    await ended;
    expect(await all(keys)).toEqual(afterRevocation);
  });

  test('a missing key cannot be revoked', async ({ keys }) => {
    expect(await keys.revoke(4711, null, anAuthor({ at: secondsLater(1) }))).toBe(false);
  });

  test('the last use of each key is stored', async ({ keys }) => {
    const first = await keys.add(anApiKey({ hash: aKeyHash(1) }), anAuthor());
    const second = await keys.add(anApiKey({ hash: aKeyHash(2) }), anAuthor());
    const unused = await keys.add(anApiKey({ hash: aKeyHash(3) }), anAuthor());
    await keys.touch(
      new Map([
        [first.id, secondsLater(1)],
        [second.id, secondsLater(2)],
      ]),
    );
    expect((await all(keys)).map(({ id, lastUsedAt }) => [id, lastUsedAt])).toEqual([
      [first.id, secondsLater(1)],
      [second.id, secondsLater(2)],
      [unused.id, null],
    ]);
  });

  test('a use after the revocation is ignored', async ({ keys }) => {
    const { id } = await keys.add(anApiKey(), anAuthor());
    await keys.revoke(id, null, anAuthor({ at: secondsLater(2) }));
    await keys.touch(new Map([[id, secondsLater(1)]]));
    await keys.touch(new Map([[id, secondsLater(3)]]));
    expect(await all(keys)).toMatchObject([{ lastUsedAt: secondsLater(1), revokedAt: secondsLater(2) }]);
  });

  test('the newest of several concurrently reported uses is kept, in any order', async ({ keys }) => {
    const added = await Promise.all(
      [1, 2, 3, 4].map((n) => keys.add(anApiKey({ hash: aKeyHash(n) }), anAuthor())),
    );
    const usesAt = (seconds: number) => added.map(({ id }) => [id, secondsLater(seconds)] as const);
    await Promise.all(
      [3, 9, 1, 7, 5].flatMap((seconds) => [
        keys.touch(new Map(usesAt(seconds))),
        keys.touch(new Map(usesAt(seconds).toReversed())),
      ]),
    );
    expect((await all(keys)).map(({ lastUsedAt }) => lastUsedAt)).toEqual(added.map(() => secondsLater(9)));
  });
}
