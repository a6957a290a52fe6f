import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { sampled } from '../../../../tools/property-runs.ts';
import { runtimeTest } from '../testing/runtime.fixture.ts';
import type { RuntimeConfiguration } from '../wire.ts';
import { cacheFile } from './cache-file.ts';

const OWNER = { key: 'phx_key', url: 'http://127.0.0.1:8000', follows: 1, family: 'plugin_configs' };

const test = runtimeTest.extend<{ readonly path: string }>({
  path: async ({ cacheFile: path }, use) => use(path),
});

const configuration = (version: string): RuntimeConfiguration => ({
  version,
  results: [
    {
      id: 1,
      plugin: 7,
      plugin_name: 'GeoIP',
      plugin_slug: null,
      plugin_version: null,
      schema_version: 1,
      name: null,
      order: 1,
      valid: true,
      config_version: 2,
      config: { token: 'hunter2', n: [1, {}] },
    },
  ],
});

/** The offsets to test in a file: its beginning, its end, and at least some in between. */
const offsetsIn = (file: Buffer): readonly number[] => {
  const all = Array.from(file.keys());
  return [...all.slice(0, 30), ...sampled(all.slice(30, -5), 30), ...all.slice(-5)];
};

const filesInFolderOf = async (path: string): Promise<string[]> => readdir(join(path, '..'));

test('a stored configuration is loaded with its age, and only its owner can read it', async ({ path }) => {
  expect(await cacheFile(path, OWNER).load()).toBeNull();
  await cacheFile(path, OWNER).store(configuration('a'));
  const loaded = await cacheFile(path, OWNER).load();
  expect(loaded?.state).toEqual(configuration('a'));
  expect(loaded?.ageMs).toBeLessThan(60_000);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await readFile(path)).toString('latin1')).not.toContain('hunter2');
  expect(await filesInFolderOf(path)).toEqual(['plugins.cache']);
});

test('the same configuration is never encrypted to the same bytes', async ({ path }) => {
  await cacheFile(path, OWNER).store(configuration('a'));
  const first = await readFile(path);
  await cacheFile(path, OWNER).store(configuration('a'));
  const second = await readFile(path);
  expect(second.length).toBe(first.length);
  const header = 'plugin-config-runtime 1\n'.length;
  expect(second.subarray(header, header + 28)).not.toEqual(first.subarray(header, header + 28));
});

describe('an unusable file', () => {
  test('is rejected if truncated, and replaced by the next configuration', async ({ path }) => {
    const file = cacheFile(path, OWNER);
    await file.store(configuration('a'));
    const whole = await readFile(path);
    for (const length of offsetsIn(whole)) {
      await writeFile(path, whole.subarray(0, length));
      await expect(file.load()).rejects.toThrow('is ignored');
    }
    await file.store(configuration('b'));
    expect(await file.load()).toMatchObject({ state: { version: 'b' } });
  });

  test('is rejected if a byte is damaged', async ({ path }) => {
    const file = cacheFile(path, OWNER);
    await file.store(configuration('a'));
    const whole = await readFile(path);
    for (const at of offsetsIn(whole)) {
      const damaged = Buffer.from(whole);
      damaged.writeUInt8(whole.readUInt8(at) ^ 1, at);
      await writeFile(path, damaged);
      await expect(file.load()).rejects.toThrow('is ignored');
    }
  });

  test.for([
    ['key', { key: 'phx_other' }],
    ['service', { url: 'http://127.0.0.1:9000' }],
    ['project', { follows: 2 }],
    ['project by its name', { follows: '1' }],
    ['family', { family: 'pipeline_transformation_configs' }],
  ] as const)(
    'is rejected and left in place if it belongs to a different %s',
    async ([, other], { path }) => {
      await cacheFile(path, { ...OWNER, ...other }).store(configuration('a'));
      const file = cacheFile(path, OWNER);
      await expect(file.load()).rejects.toThrow('another key, or for another service, project or family');
      await file.remove();
      expect(await filesInFolderOf(path)).toEqual(['plugins.cache']);
    },
  );

  test('is rejected with the reason if a later release wrote it', async ({ path }) => {
    await writeFile(path, 'plugin-config-runtime 2\nwhatever');
    await expect(cacheFile(path, OWNER).load()).rejects.toThrow('another release of the client wrote it');
  });

  test('is rejected with the reason if it is a folder', async ({ path }) => {
    await expect(cacheFile(join(path, '..'), OWNER).load()).rejects.toThrow('EISDIR');
  });
});

test('only temporary files that were left behind are removed', async ({ path }) => {
  const old = new Date(Date.now() - 2 * 3_600_000);
  const names = [
    'plugins.cache.0123456789abcdef.tmp',
    'plugins.cache.tmp',
    'other.cache.0123456789abcdef.tmp',
  ];
  for (const name of names) {
    await writeFile(join(path, '..', name), '');
    await utimes(join(path, '..', name), old, old);
  }
  await writeFile(`${path}.fedcba9876543210.tmp`, '');
  expect(await cacheFile(path, OWNER).load()).toBeNull();
  expect((await filesInFolderOf(path)).toSorted()).toEqual([
    'other.cache.0123456789abcdef.tmp',
    'plugins.cache.fedcba9876543210.tmp',
    'plugins.cache.tmp',
  ]);
});

test('storing the same configuration again only resets its age', async ({ path }) => {
  const file = cacheFile(path, OWNER);
  const stored = configuration('a');
  await file.store(stored);
  const hourAgo = new Date(Date.now() - 3_600_000);
  await utimes(path, hourAgo, hourAgo);
  const { ino } = await stat(path);
  expect((await cacheFile(path, OWNER).load())?.ageMs).toBeGreaterThan(3_500_000);
  await file.store(stored);
  expect((await cacheFile(path, OWNER).load())?.ageMs).toBeLessThan(60_000);
  expect((await stat(path)).ino).toBe(ino);
  await rm(path);
  await file.store(stored);
  expect(await file.load()).toMatchObject({ state: { version: 'a' } });
});

test('a file from the future, after the clock was set back, has an age of 0', async ({ path }) => {
  await cacheFile(path, OWNER).store(configuration('a'));
  const tomorrow = new Date(Date.now() + 86_400_000);
  await utimes(path, tomorrow, tomorrow);
  expect(await cacheFile(path, OWNER).load()).toMatchObject({ ageMs: 0 });
});

test('a file that cannot be replaced is an error each time', async ({ path }) => {
  const file = cacheFile(path, OWNER);
  await file.store(configuration('a'));
  await rm(join(path, '..'), { recursive: true });
  const next = configuration('b');
  await expect(file.store(next)).rejects.toThrow('ENOENT');
  await expect(file.store(next)).rejects.toThrow('ENOENT');
});

test('several runtimes can write the file concurrently, and a reader always finds a complete file', async ({
  path,
}) => {
  const files = Array.from({ length: 4 }, () => cacheFile(path, OWNER));
  await files[0]?.store(configuration('first'));
  await Promise.all(
    files.map(async (file, index) => {
      for (let round = 0; round < 10; round++) {
        await file.store(configuration(`${index} ${round}`));
        expect((await file.load())?.state.results).toHaveLength(1);
      }
    }),
  );
  expect(await filesInFolderOf(path)).toEqual(['plugins.cache']);
});
