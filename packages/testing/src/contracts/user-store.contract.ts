import { powersOf, type SignedIn } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aSignIn, aUser } from '../builders/a-user.ts';
import { anApiKey } from '../builders/an-api-key.ts';
import { anAuthor, MOMENT, secondsLater } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';

const AUTHOR = { requestId: 'request', at: MOMENT };
const EVERYTHING = powersOf(anApiKey({ scopes: ['*'] }));

const signIn = async ({ users }: Pick<Ports, 'users'>, fields: Partial<SignedIn> = {}): Promise<string> =>
  (await users.signIn(aUser(fields), aSignIn(), AUTHOR)) ?? 'repeated';

const grantOf = async ({ probe }: Pick<Ports, 'probe'>, keyHash: string) =>
  (await probe.read({ keyHash, project: null, family: null, recordId: null })).key;

export function userStoreContract(test: TestWith<Ports>): void {
  test('a user gets the rights of a role, and is neither a key nor a trust', async (ports) => {
    const { id: project } = await ports.projects.create({ name: 'One' }, anAuthor());
    const hash = await signIn(ports, { projectIds: [project] });
    const grant = await grantOf(ports, hash);
    expect(grant).toMatchObject({
      user: '248289761001',
      label: 'Ada Lovelace',
      scopes: ['plugin:read'],
      projectIds: [project],
      expiresAt: null,
      revokedAt: null,
    });
    const page = { limit: 100, offset: 0 };
    expect((await ports.keys.list(page, null)).items).toEqual([]);
    expect((await ports.trusts.list(page, null)).items).toEqual([]);
    expect(await ports.keys.revoke(grant?.id ?? 0, null, anAuthor())).toBe(false);
    expect(await ports.trusts.remove(grant?.id ?? 0, null, anAuthor())).toBe(false);
  });

  test('a user who signs in again with the same rights keeps earlier sessions', async (ports) => {
    const first = await signIn(ports, { scopes: ['plugin:read', 'key:write'] });
    expect(await signIn(ports, { scopes: ['key:write', 'plugin:read'] })).toBe(first);
    const { items } = await ports.audit.page({ limit: 10, offset: 0 });
    expect(items).toMatchObject([
      {
        action: 'signed_in',
        actor: { keyId: null, label: 'Ada Lovelace', subject: { id: '248289761001' } },
        subject: { type: 'user', name: 'Ada Lovelace' },
        requestId: 'request',
      },
      { action: 'signed_in' },
    ]);
  });

  const CHANGES: readonly Partial<SignedIn>[] = [
    { scopes: ['plugin:write'] },
    { scopes: ['plugin:read', 'key:write'] },
    { label: 'Ada King' },
  ];
  for (const change of CHANGES)
    test(`a sign-in with ${JSON.stringify(change)} ends earlier sessions`, async (ports) => {
      const first = await signIn(ports);
      const second = await signIn(ports, change);
      expect(await grantOf(ports, first)).toMatchObject({ revokedAt: MOMENT });
      expect(await grantOf(ports, second)).toMatchObject({ ...change, revokedAt: null });
    });

  test('a user without rights loses earlier sessions', async (ports) => {
    const first = await signIn(ports);
    const other = await signIn(ports, { subject: 'other' });
    await ports.users.endOwn(aUser(), AUTHOR);
    await ports.users.endOwn(aUser(), AUTHOR);
    expect(await grantOf(ports, first)).toMatchObject({ revokedAt: MOMENT });
    expect(await grantOf(ports, other)).toMatchObject({ revokedAt: null });
    const { items } = await ports.audit.page({ limit: 10, offset: 0 });
    expect(items.map(({ action }) => action)).toEqual(['sessions_ended', 'signed_in', 'signed_in']);
    expect(items[0]).toMatchObject({ subject: { type: 'user', name: 'Ada Lovelace' } });
  });

  test('concurrent sign-ins of a user share one row', async (ports) => {
    const hashes = await Promise.all(Array.from({ length: 5 }, () => signIn(ports)));
    expect(new Set(hashes).size).toBe(1);
  });

  test('a user is identified by issuer and subject', async (ports) => {
    const hashes = [
      await signIn(ports),
      await signIn(ports, { subject: 'other' }),
      await signIn(ports, { issuer: 'https://id.example.com/' }),
    ];
    expect(new Set(hashes).size).toBe(3);
  });

  test('a sign-in is completed once, however many try', async ({ users, audit }) => {
    const once = aSignIn();
    const outcomes = await Promise.all([1, 2, 3].map(() => users.signIn(aUser(), once, AUTHOR)));
    expect(outcomes.filter((hash) => hash !== null)).toHaveLength(1);
    expect((await audit.page({ limit: 10, offset: 0 })).count).toBe(1);
  });

  test('a role for a project that does not exist is rejected and leaves earlier sessions', async (ports) => {
    const hash = await signIn(ports);
    await expect(signIn(ports, { projectIds: [1_000_000] })).rejects.toMatchObject({
      code: 'does_not_exist',
    });
    expect(await grantOf(ports, hash)).toMatchObject({ revokedAt: null });
  });

  test('users are not counted among the keys of an account', async (ports) => {
    const { id: project } = await ports.projects.create({ name: 'One' }, anAuthor());
    const key = await ports.keys.add(anApiKey({ projectIds: [project] }), anAuthor());
    const grant = await grantOf(ports, await signIn(ports, { projectIds: [project] }));
    expect(grant?.accountId).toBe(key.accountId);
  });

  test('ended sessions are revoked, and the next sign-in begins others', async (ports) => {
    const hash = await signIn(ports);
    const other = await signIn(ports, { subject: 'other' });
    const author = anAuthor({ at: secondsLater(1) });
    expect(await ports.users.endSessions('248289761001', EVERYTHING, author)).toBe(1);
    expect(await ports.users.endSessions('248289761001', EVERYTHING, author)).toBe(0);
    expect(await grantOf(ports, hash)).toMatchObject({ revokedAt: secondsLater(1) });
    expect(await grantOf(ports, other)).toMatchObject({ revokedAt: null });
    expect(await signIn(ports)).not.toBe(hash);
    const { items } = await ports.audit.page({ limit: 3, offset: 0 });
    expect(items[1]).toMatchObject({
      action: 'sessions_ended',
      actor: author.actor,
      subject: { type: 'user', name: 'Ada Lovelace' },
    });
  });

  test('all sessions of users end at once, and keys and trusts stay', async (ports) => {
    const hashes = [await signIn(ports), await signIn(ports, { subject: 'other' })];
    const { id } = await ports.keys.add(anApiKey(), anAuthor());
    expect(await ports.users.endSessions(null, EVERYTHING, anAuthor())).toBe(2);
    for (const hash of hashes) expect((await grantOf(ports, hash))?.revokedAt).not.toBeNull();
    expect(await ports.keys.find(id)).toMatchObject({ revokedAt: null });
  });

  test('powers end only the sessions whose rights they could grant, even if their key expires', async (ports) => {
    await signIn(ports, { subject: 'reader' });
    await signIn(ports, { subject: 'admin', scopes: ['*'] });
    const powers = powersOf(anApiKey({ scopes: ['plugin:read', 'key:write'], expiresAt: secondsLater(60) }));
    expect(await ports.users.endSessions('admin', powers, anAuthor())).toBe(0);
    expect(await ports.users.endSessions(null, powers, anAuthor())).toBe(1);
  });
}
