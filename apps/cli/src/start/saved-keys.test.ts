import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { savedApiKey, savedSecretsKeys } from './saved-keys.ts';

const TOKEN = `phx_${'a'.repeat(43)}`;
const DATABASE_URL = 'postgres://x';
const SET_UP = { migrate: async () => undefined, firstStart: async () => null, masterKeys: async () => [] };

async function folderWith(name: string, content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'saved-keys-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, name), content);
  return folder;
}

test.each([
  [`${TOKEN}\n`, TOKEN],
  ['garbage', undefined],
  ['', undefined],
])('reads the API key from the file %j as %j', async (content, key) => {
  const dataDir = await folderWith('api-key', content);
  expect((await savedApiKey(SET_UP, DATABASE_URL, { dataDir, secretsKeys: '' }))?.key).toBe(key);
});

test('names a damaged file of master keys, and leaves it alone', async () => {
  const dataDir = await folderWith('secrets-keys', 'garbage');
  const file = join(dataDir, 'secrets-keys');
  await expect(savedSecretsKeys(SET_UP, DATABASE_URL, dataDir)).rejects.toThrow(
    `${file} is damaged: expected id:base64key`,
  );
  expect(await readFile(file, 'utf8')).toBe('garbage');
});

test('creates a master key with a new id in each data directory, and keeps it', async () => {
  const createTwice = async (): Promise<readonly string[]> => {
    const dataDir = await folderWith('secrets-keys', '');
    const first = await savedSecretsKeys(SET_UP, DATABASE_URL, dataDir);
    return [first, await savedSecretsKeys(SET_UP, DATABASE_URL, dataDir)].map(
      (keys) => keys.split(':')[0] ?? '',
    );
  };
  const [[one, oneAgain], [other]] = [await createTwice(), await createTwice()];
  expect(one).toMatch(/^key-[0-9a-f]{8}$/);
  expect(oneAgain).toBe(one);
  expect(other).not.toBe(one);
});

test.each([
  ['missing', 'another-file'],
  ['empty', 'secrets-keys'],
])('rejects a %s file of master keys that the database needs, and leaves it alone', async (_, name) => {
  const dataDir = await folderWith(name, '');
  const setUp = { ...SET_UP, masterKeys: async () => ['k1', 'k2'] };
  await expect(savedSecretsKeys(setUp, DATABASE_URL, dataDir)).rejects.toThrow(
    `${join(dataDir, 'secrets-keys')} is missing or empty, but configurations are encrypted with its keys (k1, k2)`,
  );
  expect(await readdir(dataDir)).toEqual([name]);
  expect(await readFile(join(dataDir, name), 'utf8')).toBe('');
});
