import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { savedApiKey, savedSecretsKeys } from './saved-keys.ts';

const TOKEN = `phx_${'a'.repeat(43)}`;
const SET_UP = { migrate: async () => undefined, firstStart: async () => null };

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
])('the first key of the file %j is shown as %j', async (content, key) => {
  const dataDir = await folderWith('api-key', content);
  expect((await savedApiKey(SET_UP, 'postgres://x', dataDir))?.key).toBe(key);
});

test('a damaged file of encryption keys is refused by its name, and stays as it is', async () => {
  const dataDir = await folderWith('secrets-keys', 'garbage');
  const file = join(dataDir, 'secrets-keys');
  await expect(savedSecretsKeys(dataDir)).rejects.toThrow(`${file} is damaged: it takes id:base64key`);
  expect(await readFile(file, 'utf8')).toBe('garbage');
});
