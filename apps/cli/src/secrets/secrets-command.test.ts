import { readSecretsKeys } from '@plugin-config/persistence';
import { expect } from 'vitest';
import { test } from '../operator.fixture.ts';

const key = (id: string, byte: number): string => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
const [K1, K2] = [key('k1', 1), key('k2', 2)];

test('generates a different key for SECRETS_KEYS each time', async ({ cli }) => {
  const generated = async () => (await cli(['secrets', 'generate'], { DATABASE_URL: '' })).stdout;
  const [one, other] = [await generated(), await generated()];
  expect(one).toMatch(/^key-[0-9a-f]{8}:[A-Za-z0-9+/]{43}=\n$/);
  expect(readSecretsKeys(one.trim())?.size).toBe(1);
  expect(other).not.toBe(one);
});

test('rotates keys as documented', async ({ cli }) => {
  const list = async (SECRETS_KEYS: string) => (await cli(['secrets', 'list'], { SECRETS_KEYS })).stdout;
  expect(await cli(['secrets', 'list'])).toEqual({ code: 0, stdout: '', stderr: 'No keys are in use.\n' });
  for (const name of ['One', 'Two']) await cli(['project', 'create', '--name', name], { SECRETS_KEYS: K1 });
  expect(await list(K2)).toBe('KEY  STATE    DATA KEYS\nk1   missing  2\n');
  expect(await cli(['secrets', 'rotate'], { SECRETS_KEYS: K2 })).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'Older keys are still needed: "k1" (data keys: 2). Add "k1" to SECRETS_KEYS and run this command again.\n',
  });
  const both = `${K2},${K1}`;
  expect(await list(both)).toBe('KEY  STATE  DATA KEYS\nk1   known  2\n');
  expect(await cli(['secrets', 'rotate'], { SECRETS_KEYS: both })).toEqual({
    code: 0,
    stdout: '',
    stderr: 'All data keys are wrapped with "k2". Older keys are no longer needed.\n',
  });
  expect(await list(K2)).toBe('KEY  STATE  DATA KEYS\nk2   first  2\n');
});

test('rejects a rotation without keys, or with a different key under the same id', async ({ cli }) => {
  await cli(['project', 'create', '--name', 'One'], { SECRETS_KEYS: K1 });
  for (const [SECRETS_KEYS, stderr] of [
    ['', /^SECRETS_KEYS is not set[^\n]*secrets generate\n$/],
    [key('k1', 3), /^SECRETS_KEYS lists a different key as "k1"[^\n]*\n$/],
  ] as const) {
    const outcome = await cli(['secrets', 'rotate'], { SECRETS_KEYS });
    expect(outcome).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(stderr) });
  }
});

test('creating a project needs the key that the database is encrypted with', async ({ cli }) => {
  const create = (SECRETS_KEYS: string) => cli(['project', 'create', '--name', 'One'], { SECRETS_KEYS });
  expect(await create('')).toMatchObject({ code: 1, stderr: expect.stringContaining('secrets generate') });
  expect(await create(K1)).toMatchObject({ code: 0 });
  expect(await create(key('k1', 3))).toMatchObject({ code: 1, stderr: expect.stringContaining('"k1"') });
});
