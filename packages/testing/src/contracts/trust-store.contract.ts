import { powersOf, type Trust, type TrustStore } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aTrust } from '../builders/a-trust.ts';
import { aKeyHash, anApiKey, revokedAuthor } from '../builders/an-api-key.ts';
import { anAuthor, MOMENT, secondsLater } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';

const all = async (trusts: TrustStore): Promise<readonly Trust[]> =>
  (await trusts.list({ limit: 100, offset: 0 }, null)).items;
const HASH = aKeyHash(77);
const USED = { jti: 'one', expiresAt: secondsLater(240) };

export function trustStoreContract(test: TestWith<Ports>): void {
  test('a new trust is listed, found with its hash, and no key', async ({
    trusts,
    keys,
    projects,
    audit,
  }) => {
    const { id: project } = await projects.create({ name: 'One' }, anAuthor());
    const { hash, accountId: _, ...given } = aTrust({ projectIds: [project], expiresAt: secondsLater(60) });
    const trust = await trusts.add({ ...given, hash, accountId: null }, anAuthor());
    expect(trust).toEqual({ ...given, id: trust.id, lastUsedAt: null });
    expect(await all(trusts)).toEqual([trust]);
    expect(await trusts.find(trust.id)).toEqual({ ...trust, hash });
    expect((await keys.list({ limit: 100, offset: 0 }, null)).items).toEqual([]);
    expect(await keys.revoke(trust.id, null, anAuthor())).toBe(false);
    const { items } = await audit.page({ limit: 1, offset: 0 });
    expect(items).toMatchObject([
      { action: 'trust_created', subject: { type: 'trust', id: trust.id, name: trust.name } },
    ]);
  });

  test('a key is no trust', async ({ trusts, keys }) => {
    const { id } = await keys.add(anApiKey(), anAuthor());
    expect([await all(trusts), await trusts.find(id)]).toEqual([[], null]);
    expect(await trusts.change(id, null, HASH, (before) => before, anAuthor())).toBeNull();
    expect(await trusts.remove(id, null, anAuthor())).toBe(false);
  });

  test('a change replaces what the trust says, and its hash', async ({ trusts, projects, probe }) => {
    const { id: project } = await projects.create({ name: 'One' }, anAuthor());
    const trust = await trusts.add(aTrust(), anAuthor());
    const old = await trusts.find(trust.id);
    const change = {
      name: 'Other',
      claims: { sub: ['a', 'b'] },
      scopes: ['plugin:read'] as const,
      projectIds: [project],
    };
    const changed = await trusts.change(
      trust.id,
      null,
      HASH,
      (before) => ({ ...before, ...change }),
      anAuthor(),
    );
    expect(changed).toEqual({ ...trust, ...change });
    expect(await trusts.find(trust.id)).toEqual({ ...trust, ...change, hash: HASH });
    const grantOf = async (keyHash: string) =>
      (await probe.read({ keyHash, project: null, family: null, recordId: null })).key;
    expect(await grantOf(old?.hash ?? '')).toBeNull();
    expect(await grantOf(HASH)).toMatchObject({
      id: trust.id,
      isTrust: true,
      label: 'Other',
      projectIds: [project],
    });
  });

  test('a rejected change changes nothing', async ({ trusts }) => {
    const trust = await trusts.add(aTrust(), anAuthor());
    const reject = (): never => {
      throw new Error('rejected');
    };
    await expect(trusts.change(trust.id, null, HASH, reject, anAuthor())).rejects.toThrow('rejected');
    const missing = { ...trust, projectIds: [1_000_000] };
    await expect(trusts.change(trust.id, null, HASH, () => missing, anAuthor())).rejects.toMatchObject({
      code: 'does_not_exist',
    });
    expect(await all(trusts)).toEqual([trust]);
  });

  test('a deleted trust is gone, and its tokens with it', async ({ trusts, probe }) => {
    const trust = await trusts.add(aTrust({ hash: HASH }), anAuthor());
    expect(await trusts.remove(trust.id, null, anAuthor({ at: secondsLater(1) }))).toBe(true);
    expect(await trusts.remove(trust.id, null, anAuthor({ at: secondsLater(2) }))).toBe(false);
    expect([await all(trusts), await trusts.find(trust.id)]).toEqual([[], null]);
    const { key } = await probe.read({ keyHash: HASH, project: null, family: null, recordId: null });
    expect(key).toMatchObject({ revokedAt: secondsLater(1) });
  });

  test('powers reach only trusts that they could create', async ({ trusts }) => {
    const within = await trusts.add(aTrust({ scopes: ['plugin:read'] }), anAuthor());
    const beyond = await trusts.add(aTrust({ scopes: ['*'] }), anAuthor());
    const powers = powersOf(anApiKey({ scopes: ['plugin:read', 'key:write'] }));
    expect((await trusts.list({ limit: 10, offset: 0 }, powers)).items).toEqual([within]);
    expect(await trusts.remove(beyond.id, powers, anAuthor())).toBe(false);
    expect(await trusts.change(beyond.id, powers, HASH, (before) => before, anAuthor())).toBeNull();
  });

  test('a revoked key neither adds nor changes a trust', async ({ trusts, keys }) => {
    const trust = await trusts.add(aTrust(), anAuthor());
    const author = await revokedAuthor({ keys });
    const rejection = { code: 'authentication_failed' };
    await expect(trusts.add(aTrust(), author)).rejects.toMatchObject(rejection);
    await expect(trusts.change(trust.id, null, HASH, (before) => before, author)).rejects.toMatchObject(
      rejection,
    );
  });

  test('a token of an issuer is exchanged once, whatever the trust and however many try', async ({
    trusts,
    audit,
  }) => {
    const [one, other, elsewhere] = await Promise.all([
      trusts.add(aTrust(), anAuthor()),
      trusts.add(aTrust(), anAuthor()),
      trusts.add(aTrust({ issuer: 'https://issuer.example' }), anAuthor()),
    ]);
    const exchange = async ({ id }: Trust, used = USED) => {
      const found = await trusts.find(id);
      if (found === null) throw new Error('No such trust.');
      return trusts.exchange(found, used, anAuthor());
    };
    const outcomes = await Promise.all([one, other, one, other].map((trust) => exchange(trust)));
    expect(outcomes.toSorted()).toEqual(['exchanged', 'repeated', 'repeated', 'repeated']);
    expect(await exchange(one)).toBe('repeated');
    expect(await exchange(one, { ...USED, jti: 'two' })).toBe('exchanged');
    expect(await exchange(elsewhere)).toBe('exchanged');
    const { items } = await audit.page({ limit: 10, offset: 0 });
    expect(items.filter(({ action }) => action === 'token_exchanged')).toHaveLength(3);
  });

  test('a trust that has changed or is deleted exchanges nothing', async ({ trusts }) => {
    const { id } = await trusts.add(aTrust(), anAuthor());
    const found = await trusts.find(id);
    if (found === null) throw new Error('No such trust.');
    await trusts.change(id, null, HASH, (before) => before, anAuthor());
    expect(await trusts.exchange(found, USED, anAuthor())).toBe('gone');
    await trusts.remove(id, null, anAuthor());
    expect(await trusts.exchange({ ...found, hash: HASH }, USED, anAuthor())).toBe('gone');
  });

  test('exchanged tokens are forgotten some time after their end', async ({ trusts }) => {
    const { id } = await trusts.add(aTrust(), anAuthor());
    const found = await trusts.find(id);
    if (found === null) throw new Error('No such trust.');
    const used = { jti: 'one', expiresAt: MOMENT };
    const exchangeAt = (seconds: number) =>
      trusts.exchange(found, used, anAuthor({ at: secondsLater(seconds) }));
    expect([await exchangeAt(0), await exchangeAt(59), await exchangeAt(61)]).toEqual([
      'exchanged',
      'repeated',
      'exchanged',
    ]);
  });
}
