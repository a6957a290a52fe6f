import { issueApiKey, PLUGIN_SCOPES, powersOf, type ApiKey, type Powers } from '@plugin-config/domain';
import {
  aFamily,
  anIssue,
  MOMENT,
  secondsLater,
  seededRandomness,
  type KeyOrder,
  type Ports,
} from '@plugin-config/testing';
import { describe, expect } from 'vitest';
import { sha256TokenHasher } from './key-columns.ts';
import { testWithPorts } from '../testing/test-with-ports.ts';

/** Shared by all tests, since every key needs a different token. */
const randomness = seededRandomness();

const test = testWithPorts();

describe('issuing a key', () => {
  test('the returned token grants the access of the key', async (ports) => {
    const { key, token } = await issue(ports, { label: 'CI', scopes: ['plugin:write'] });
    expect(token).toMatch(/^phx_[0-9A-Za-z]{43}$/);
    expect(key).toMatchObject({ label: 'CI', scopes: ['plugin:write'], createdAt: MOMENT, expiresAt: null });
    const keyHash = sha256TokenHasher().hash(token);
    const result = await ports.probe.read({ keyHash, project: null, family: null, recordId: null });
    expect(result.key).toMatchObject({ id: key.id, scopes: ['plugin:write'] });
  });

  test('a key that is limited to plugins has them, and only scopes that are about the records of a plugin', async (ports) => {
    for (const scopes of [['*'], ['plugin:read'], ['plugin_log:write', 'key:write']] as const) {
      const issuing = issue(ports, { scopes, pluginIds: [7] });
      await expect(issuing).rejects.toMatchObject({ code: 'invalid_input', attr: 'plugin_ids' });
    }
    expect(await all(ports.keys)).toEqual([]);
    const { key } = await issue(ports, { scopes: PLUGIN_SCOPES, pluginIds: [8, 7, 8] });
    expect(key.pluginIds).toEqual([7, 8]);
    expect(await all(ports.keys)).toEqual([key]);
    expect((await ports.probe.grants([key.id])).get(key.id)?.pluginIds).toEqual([7, 8]);
  });

  test('a key expires after the requested time', async (ports) => {
    const { key } = await issue(ports, { lifetimeMs: 90_000 });
    expect(key.expiresAt).toEqual(secondsLater(90));
  });

  test('the token itself is not stored', async (ports) => {
    const { token } = await issue(ports, {});
    expect(JSON.stringify(await all(ports.keys))).not.toContain(token);
  });

  test('a key without a label or a scope is rejected', async (ports) => {
    await expect(issue(ports, { label: ' ' })).rejects.toMatchObject({ code: 'blank', attr: 'label' });
    await expect(issue(ports, { scopes: [] })).rejects.toMatchObject({ code: 'required', attr: 'scopes' });
    expect(await all(ports.keys)).toEqual([]);
  });

  test('a label with control or direction characters is rejected', async (ports) => {
    for (const label of ['a\u202eb', '\u2067a', 'a\u200fb', 'a\nb', 'a\u0007b', 'a\u0085b', 'a\u2028b']) {
      await expect(issue(ports, { label })).rejects.toMatchObject({ code: 'invalid_input', attr: 'label' });
    }
    expect(await all(ports.keys)).toEqual([]);
    const { key } = await issue(ports, { label: 'Schlüssel für CI 🚀 – مفتاح' });
    expect(key.label).toBe('Schlüssel für CI 🚀 – مفتاح');
  });

  test('a key with more powers than its issuer is rejected and not stored', async (ports) => {
    const { key } = await issue(ports, { scopes: ['key:write', 'plugin:read'], lifetimeMs: 90_000 });
    const wanted = { scopes: ['plugin:read'], lifetimeMs: 90_000 } as const;
    await expect(issue(ports, { ...wanted, scopes: ['plugin:write'] }, powersOf(key))).rejects.toMatchObject({
      code: 'not_granted',
      attr: 'scopes',
    });
    await expect(issue(ports, { ...wanted, lifetimeMs: null }, powersOf(key))).rejects.toMatchObject({
      code: 'not_granted',
      attr: 'expires_at',
    });
    expect(await all(ports.keys)).toEqual([key]);
    await expect(issue(ports, wanted, powersOf(key))).resolves.toMatchObject({
      key: { scopes: ['plugin:read'] },
    });
  });

  test('a key that has already expired is rejected', async (ports) => {
    await expect(issue(ports, { lifetimeMs: 0 })).rejects.toMatchObject({
      code: 'invalid_input',
      attr: 'expires_at',
    });
  });

  test('a project-bound key issues keys of its own account alone', async (ports) => {
    const powers = {
      scopes: ['*'],
      projectIds: [(await aFamily(ports)).projectId],
      expiresAt: null,
    } as const;
    const order = { projectIds: powers.projectIds };
    const { key } = await issue(ports, order);
    const issuer = { ...powers, accountId: key.accountId };
    expect((await issue(ports, order, issuer)).key.accountId).toBe(key.accountId);
    const other = (await issue(ports, {})).key.accountId;
    await expect(issue(ports, { ...order, accountId: other }, issuer)).rejects.toMatchObject({
      code: 'not_granted',
      attr: 'account_id',
    });
    const unbound = { ...powers, projectIds: [], accountId: key.accountId };
    expect((await issue(ports, { ...order, accountId: other }, unbound)).key.accountId).toBe(other);
  });
});

function issue(
  { keys }: Ports,
  order: KeyOrder,
  powers: (Powers & { readonly accountId?: number }) | null = null,
) {
  const dependencies = { keys, hasher: sha256TokenHasher(), randomness };
  return issueApiKey(dependencies, { ...anIssue(order), issuer: powers && { accountId: 1, ...powers } });
}

async function all(keys: Ports['keys']): Promise<readonly ApiKey[]> {
  return (await keys.list({ limit: 1000, offset: 0 }, null)).items;
}
