import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, describe, expect } from 'vitest';
import { sampled } from '../../../../tools/property-runs.ts';
import type { RuntimeConfiguration } from '../wire/runtime.ts';
import { cacheFile } from './cache-file.ts';

const OWNER = { key: 'phx_key', url: 'http://127.0.0.1:8000', project: 1, family: 'plugin_configs' };

const test = base.extend<{ path: string }>({
  path: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'plugin-config-cache-'));
    await use(join(folder, 'plugins.cache'));
    await rm(folder, { recursive: true, force: true });
  },
});

const configuration = (version: string): RuntimeConfiguration => ({
  version,
  results: [
    {
      id: 1,
      plugin: 7,
      plugin_name: 'GeoIP',
      name: null,
      order: 1,
      config: { token: 'hunter2', n: [1, {}] },
    },
  ],
});

/** Each place in a file, the first and the last ones included; in the first tier some of those between. */
const placesIn = (file: Buffer): readonly number[] => {
  const all = Array.from(file.keys());
  return [...all.slice(0, 30), ...sampled(all.slice(30, -5), 30), ...all.slice(-5)];
};

const filesBeside = async (path: string): Promise<string[]> => readdir(join(path, '..'));

test('what is kept is loaded, with its age, and only its owner can read it', async ({ path }) => {
  expect(await cacheFile(path, OWNER).load()).toBeNull();
  await cacheFile(path, OWNER).keep(configuration('a'));
  const loaded = await cacheFile(path, OWNER).load();
  expect(loaded?.configuration).toEqual(configuration('a'));
  expect(loaded?.ageMs).toBeLessThan(60_000);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await readFile(path)).toString('latin1')).not.toContain('hunter2');
  expect(await filesBeside(path)).toEqual(['plugins.cache']);
});

test('the same configuration never gives the same bytes', async ({ path }) => {
  await cacheFile(path, OWNER).keep(configuration('a'));
  const first = await readFile(path);
  await cacheFile(path, OWNER).keep(configuration('a'));
  const second = await readFile(path);
  expect(second.length).toBe(first.length);
  const header = 'plugin-config-runtime 1\n'.length;
  expect(second.subarray(header, header + 28)).not.toEqual(first.subarray(header, header + 28));
});

describe('a file that cannot be used', () => {
  test('because it ends at any byte is rejected, and replaced by the next configuration', async ({
    path,
  }) => {
    const file = cacheFile(path, OWNER);
    await file.keep(configuration('a'));
    const whole = await readFile(path);
    for (const length of placesIn(whole)) {
      await writeFile(path, whole.subarray(0, length));
      await expect(file.load()).rejects.toThrow('is ignored');
    }
    await file.keep(configuration('b'));
    expect(await file.load()).toMatchObject({ configuration: { version: 'b' } });
  });

  test('because any byte is damaged is rejected', async ({ path }) => {
    const file = cacheFile(path, OWNER);
    await file.keep(configuration('a'));
    const whole = await readFile(path);
    for (const at of placesIn(whole)) {
      const damaged = Buffer.from(whole);
      damaged.writeUInt8(whole.readUInt8(at) ^ 1, at);
      await writeFile(path, damaged);
      await expect(file.load()).rejects.toThrow('is ignored');
    }
  });

  test.for([
    ['key', { key: 'phx_other' }],
    ['service', { url: 'http://127.0.0.1:9000' }],
    ['project', { project: 2 }],
    ['project by its name', { project: '1' }],
    ['family', { family: 'pipeline_transformation_configs' }],
  ] as const)('because it is of another %s is rejected, and not removed', async ([, other], { path }) => {
    await cacheFile(path, { ...OWNER, ...other }).keep(configuration('a'));
    const file = cacheFile(path, OWNER);
    await expect(file.load()).rejects.toThrow('another key, or for another service, project or family');
    await file.remove();
    expect(await filesBeside(path)).toEqual(['plugins.cache']);
  });

  test('because a later release wrote it says so', async ({ path }) => {
    await writeFile(path, 'plugin-config-runtime 2\nwhatever');
    await expect(cacheFile(path, OWNER).load()).rejects.toThrow('another release of the client wrote it');
  });

  test('because it is a folder says so', async ({ path }) => {
    await expect(cacheFile(join(path, '..'), OWNER).load()).rejects.toThrow('EISDIR');
  });
});

test('a process that was killed at any byte of its write leaves the file as it was', async ({ path }) => {
  const file = cacheFile(path, OWNER);
  await file.keep(configuration('a'));
  const whole = await readFile(path);
  const temporary = `${path}.0123456789abcdef.tmp`;
  for (const length of [...placesIn(whole), whole.length]) {
    await writeFile(temporary, whole.subarray(0, length));
    expect(await file.load()).toMatchObject({ configuration: { version: 'a' } });
  }
});

test('temporary files that were left behind are removed, and those of others are not', async ({ path }) => {
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
  expect((await filesBeside(path)).toSorted()).toEqual([
    'other.cache.0123456789abcdef.tmp',
    'plugins.cache.fedcba9876543210.tmp',
    'plugins.cache.tmp',
  ]);
});

test('a configuration that is kept again is not written again, but is as good as new', async ({ path }) => {
  const file = cacheFile(path, OWNER);
  const kept = configuration('a');
  await file.keep(kept);
  const hourAgo = new Date(Date.now() - 3_600_000);
  await utimes(path, hourAgo, hourAgo);
  const { ino } = await stat(path);
  expect((await cacheFile(path, OWNER).load())?.ageMs).toBeGreaterThan(3_500_000);
  await file.keep(kept);
  expect((await cacheFile(path, OWNER).load())?.ageMs).toBeLessThan(60_000);
  expect((await stat(path)).ino).toBe(ino);
  await rm(path);
  await file.keep(kept);
  expect(await file.load()).toMatchObject({ configuration: { version: 'a' } });
});

test('after the clock was set back, a file from the future is of no age', async ({ path }) => {
  await cacheFile(path, OWNER).keep(configuration('a'));
  const tomorrow = new Date(Date.now() + 86_400_000);
  await utimes(path, tomorrow, tomorrow);
  expect(await cacheFile(path, OWNER).load()).toMatchObject({ ageMs: 0 });
});

test('a file that cannot be replaced stays as it is, and is not taken for the new one', async ({ path }) => {
  const file = cacheFile(path, OWNER);
  await file.keep(configuration('a'));
  await rm(join(path, '..'), { recursive: true });
  const next = configuration('b');
  await expect(file.keep(next)).rejects.toThrow('ENOENT');
  await expect(file.keep(next)).rejects.toThrow('ENOENT');
});

test('many runtimes write one file at once, and each reader finds a whole one', async ({ path }) => {
  const files = Array.from({ length: 4 }, () => cacheFile(path, OWNER));
  await files[0]?.keep(configuration('first'));
  await Promise.all(
    files.map(async (file, index) => {
      for (let round = 0; round < 10; round++) {
        await file.keep(configuration(`${index} ${round}`));
        expect((await file.load())?.configuration.results).toHaveLength(1);
      }
    }),
  );
  expect(await filesBeside(path)).toEqual(['plugins.cache']);
});
