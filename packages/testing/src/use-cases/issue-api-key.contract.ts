import { issueApiKey, type KeyRequest } from '@plugin-config/domain';
import { expect } from 'vitest';
import { MOMENT, secondsLater } from '../builders/an-author.ts';
import { fixedClock } from '../memory/fixed-clock.ts';
import { memoryTokenHasher } from '../memory/memory-token-hasher.ts';
import { seededRandomness } from '../memory/seeded-randomness.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';

/** Contract of issuing an API key, on any store. */
export function issueApiKeyContract(test: TestWith<Ports>): void {
  test('the returned token grants the access of the key', async (ports) => {
    const { key, token } = await issue(ports, { label: 'CI', scopes: ['plugin:write'] });
    expect(token).toMatch(/^phx_[0-9A-Za-z]{43}$/);
    expect(key).toMatchObject({ label: 'CI', scopes: ['plugin:write'], createdAt: MOMENT, expiresAt: null });
    const keyHash = memoryTokenHasher().hash(token);
    const answer = await ports.probe.ask({ keyHash, project: null, family: null, recordId: null });
    expect(answer.key).toMatchObject({ id: key.id, scopes: ['plugin:write'] });
  });

  test('a key expires after the requested time', async (ports) => {
    const { key } = await issue(ports, { lifetimeMs: 90_000 });
    expect(key.expiresAt).toEqual(secondsLater(90));
  });

  test('the token itself is not stored', async (ports) => {
    const { token } = await issue(ports, {});
    expect(JSON.stringify(await ports.keys.list())).not.toContain(token);
  });

  test('a key without a label or a scope is refused', async (ports) => {
    await expect(issue(ports, { label: ' ' })).rejects.toMatchObject({ code: 'blank', attr: 'label' });
    await expect(issue(ports, { scopes: [] })).rejects.toMatchObject({ code: 'required', attr: 'scope' });
    expect(await ports.keys.list()).toEqual([]);
  });

  test('a key for a missing project is refused', async (ports) => {
    await expect(issue(ports, { projectIds: [4711] })).rejects.toMatchObject({ code: 'does_not_exist' });
  });
}

function issue({ keys }: Ports, given: Partial<KeyRequest>) {
  const dependencies = {
    keys,
    hasher: memoryTokenHasher(),
    randomness: seededRandomness(),
    clock: fixedClock(),
  };
  const order: KeyRequest = { label: 'Key', scopes: ['*'], projectIds: [], lifetimeMs: null, ...given };
  return issueApiKey(dependencies, order);
}
