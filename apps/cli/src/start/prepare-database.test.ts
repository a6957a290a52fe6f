import { DomainError } from '@plugin-config/domain';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { prepareDatabase, type SetUp } from './prepare-database.ts';
import { StartError, startSettings } from './start-settings.ts';

const TOKEN = `phx_${'a'.repeat(43)}`;
const SET_UP: SetUp = {
  migrateAll: async () => [],
  firstStart: async () => null,
  requireMasterKeys: async () => {},
  masterKeysInUse: async () => [],
};

function prepare(dataDir: string, setUp: Partial<SetUp> = {}): ReturnType<typeof prepareDatabase> {
  const target = {
    databaseUrl: 'postgres://x',
    settings: startSettings({ DATA_DIR: dataDir }),
    env: {},
  };
  return prepareDatabase({ ...SET_UP, ...setUp }, target);
}

async function folderWith(name: string, content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'prepare-database-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, name), content);
  return folder;
}

test.each([
  ['alone', unreachable()],
  ['in an AggregateError', new AggregateError([unreachable()])],
])('reports why the database is unreachable, %s', async (_, error) => {
  const migrateAll = async () => Promise.reject(error);
  await expect(prepare('unused', { migrateAll })).rejects.toThrow(
    'The database could not be migrated: The database is unreachable. connect ECONNREFUSED 127.0.0.1:5432',
  );
});

function unreachable(): DomainError {
  return new DomainError('unavailable', 'The database is unreachable.', {
    cause: new Error('connect ECONNREFUSED 127.0.0.1:5432'),
  });
}

test.each([
  [`${TOKEN}\n`, TOKEN],
  ['garbage', undefined],
  ['', undefined],
])('reads the API key from the file %j as %j', async (content, key) => {
  expect((await prepare(await folderWith('api-key', content))).apiKey?.key).toBe(key);
});

test('names a damaged master key file, and leaves it alone', async () => {
  const dataDir = await folderWith('secrets-keys', 'garbage');
  const file = join(dataDir, 'secrets-keys');
  await expect(prepare(dataDir)).rejects.toThrow(`${file} is damaged: expected id:base64key`);
  expect(await readFile(file, 'utf8')).toBe('garbage');
});

test('creates a master key with a new id in each data directory, and keeps it', async () => {
  const prepareTwice = async (): Promise<readonly string[]> => {
    const dataDir = await folderWith('secrets-keys', '');
    const both = [await prepare(dataDir), await prepare(dataDir)];
    return both.map(({ secretsKeys }) => secretsKeys.split(':')[0] ?? '');
  };
  const [[one, oneAgain], [other]] = [await prepareTwice(), await prepareTwice()];
  expect(one).toMatch(/^key-[0-9a-f]{8}$/);
  expect(oneAgain).toBe(one);
  expect(other).not.toBe(one);
});

test('rejects other master keys than the database needs before it creates an API key', async () => {
  const requireMasterKeys = async () => Promise.reject(new Error('SECRETS_KEYS lacks "k1".'));
  const firstStart = async () => Promise.reject(new Error('too early'));
  const dataDir = await folderWith('secrets-keys', '');
  await expect(prepare(dataDir, { requireMasterKeys, firstStart })).rejects.toThrow(
    new StartError('SECRETS_KEYS lacks "k1".'),
  );
});

test.each([
  ['missing', 'another-file'],
  ['empty', 'secrets-keys'],
])('rejects a %s file of master keys that the database needs, and leaves it alone', async (_, name) => {
  const dataDir = await folderWith(name, '');
  await expect(prepare(dataDir, { masterKeysInUse: async () => ['k1', 'k2'] })).rejects.toThrow(
    `${join(dataDir, 'secrets-keys')} is missing or empty, but configurations are encrypted with its keys (k1, k2)`,
  );
  expect(await readdir(dataDir)).toEqual([name]);
  expect(await readFile(join(dataDir, name), 'utf8')).toBe('');
});
