import type { FamilyRef } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { ResponseCache } from './response-cache.ts';
import type { TaggedResponse } from './send-response.ts';

const PLUGINS: FamilyRef = { projectId: 1, family: 'plugin_configs' };
const TRANSFORMATIONS: FamilyRef = { projectId: 1, family: 'pipeline_transformation_configs' };

const response = (bytes: number): TaggedResponse => ({ body: Buffer.alloc(bytes), etag: `"${bytes}"` });
const versions = (familyVersion: number) => ({ familyVersion, registryVersion: 0 });
const at = (familyVersion: number, value: TaggedResponse) => async () => ({
  ...versions(familyVersion),
  value,
});
const project = (projectId: number): FamilyRef => ({ ...PLUGINS, projectId });

function cached(cache: ResponseCache, family: FamilyRef, familyVersion = 1): TaggedResponse | undefined {
  return cache.get(family, 'a', versions(familyVersion));
}

test('a response is valid up to the cache version it was read at', async () => {
  const cache = new ResponseCache({ maxBytes: 100_000 });
  await cache.load(PLUGINS, 'a', versions(1), at(2, response(1)));
  expect([1, 2, 3].map((version) => cached(cache, PLUGINS, version))).toEqual([
    response(1),
    response(1),
    undefined,
  ]);
});

test('a response is only valid for its family and project', async () => {
  const cache = new ResponseCache({ maxBytes: 100_000 });
  await cache.load(PLUGINS, 'a', versions(1), at(1, response(1)));
  await cache.load(TRANSFORMATIONS, 'a', versions(1), at(1, response(2)));
  expect([cached(cache, PLUGINS), cached(cache, TRANSFORMATIONS), cached(cache, project(2))]).toEqual([
    response(1),
    response(2),
    undefined,
  ]);
});

test('a body that is a slice of a larger buffer is copied', async () => {
  const cache = new ResponseCache({ maxBytes: 100_000 });
  const body = Buffer.alloc(1000, 'a').subarray(10, 20);
  const loaded = await cache.load(PLUGINS, 'a', versions(1), at(1, { body, etag: '"10"' }));
  const found = cached(cache, PLUGINS)?.body;
  expect(found?.equals(body)).toBe(true);
  expect(found?.buffer.byteLength).toBe(10);
  expect(loaded.body).toBe(found);
});

test('a newer response replaces all older responses', async () => {
  const cache = new ResponseCache({ maxBytes: 100_000 });
  for (const key of [1, 2, 'a']) await cache.load(PLUGINS, key, versions(1), at(1, response(1)));
  await cache.load(PLUGINS, 1, versions(2), at(2, response(2)));
  expect(cache.statistics.entries).toBe(1);
});

test('a late read does not replace a newer response', async () => {
  const cache = new ResponseCache({ maxBytes: 100_000 });
  const late = Promise.withResolvers<Awaited<ReturnType<ReturnType<typeof at>>>>();
  const slow = cache.load(PLUGINS, 'a', versions(1), () => late.promise);
  await cache.load(PLUGINS, 'a', versions(2), at(2, response(2)));
  late.resolve({ ...versions(1), value: response(1) });
  expect(await slow).toEqual(response(1));
  expect(cached(cache, PLUGINS, 2)).toEqual(response(2));
  expect(await cache.load(PLUGINS, 'b', versions(1), at(1, response(1)))).toEqual(response(1));
  expect(cached(cache, PLUGINS, 2)).toEqual(response(2));
});

test('concurrent misses of one key share one load', async () => {
  const cache = new ResponseCache({ maxBytes: 100_000 });
  let reads = 0;
  const read = async () => {
    reads++;
    await Promise.resolve();
    return { ...versions(1), value: response(5) };
  };
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => cache.load(PLUGINS, 'a', versions(1), read)),
  );
  expect([reads, new Set(responses).size]).toEqual([1, 1]);
  await cache.load(PLUGINS, 'a', versions(2), read);
  expect(reads).toBe(2);
});

test('a failed load does not fail later requests', async () => {
  const cache = new ResponseCache({ maxBytes: 100_000 });
  await expect(
    cache.load(PLUGINS, 'a', versions(1), () => Promise.reject(new Error('away'))),
  ).rejects.toThrow('away');
  expect(await cache.load(PLUGINS, 'a', versions(1), at(1, response(1)))).toEqual(response(1));
});

test('a family that was not used since the last eviction is evicted first', async () => {
  const cache = new ResponseCache({ maxBytes: 40_000 });
  for (const id of [1, 2, 3, 4]) await cache.load(project(id), 'a', versions(1), at(1, response(1500)));
  cached(cache, project(1));
  for (let id = 10; id < 24; id++) await cache.load(project(id), 'a', versions(1), at(1, response(1500)));
  expect(cached(cache, project(1))).toBeDefined();
  expect(cached(cache, project(2))).toBeUndefined();
  expect(cache.statistics.bytes).toBeLessThanOrEqual(40_000);
});

test('a family with many responses does not evict the others', async () => {
  const cache = new ResponseCache({ maxBytes: 40_000 });
  await cache.load(project(1), 'a', versions(1), at(1, response(1500)));
  for (let i = 0; i < 100; i++) await cache.load(project(2), i, versions(1), at(1, response(1500)));
  expect(cached(cache, project(1))).toBeDefined();
  expect(cache.statistics.bytes).toBeLessThanOrEqual(40_000 / 2);
});

test('a response with a store key is only found under that key', async () => {
  const cache = new ResponseCache({ maxBytes: 100_000 });
  const read = async () => ({ ...versions(1), value: response(5), storeKey: 'other' });
  expect(await cache.load(PLUGINS, 'a', versions(1), read)).toEqual(response(5));
  expect([cached(cache, PLUGINS), cache.get(PLUGINS, 'other', versions(1))]).toEqual([
    undefined,
    response(5),
  ]);
  expect(cache.statistics.entries).toBe(1);
});

test('long keys count towards the limit', async () => {
  const cache = new ResponseCache({ maxBytes: 100_000 });
  for (let id = 1; id < 100; id++)
    await cache.load(project(id), `${id}`.padEnd(2000), versions(1), at(1, response(1)));
  expect(cache.statistics.entries).toBeLessThan(25);
});

test('a response that would evict too much is not cached', async () => {
  const cache = new ResponseCache({ maxBytes: 16_000 });
  await cache.load(PLUGINS, 'a', versions(1), at(1, response(100)));
  expect(await cache.load(TRANSFORMATIONS, 'a', versions(1), at(1, response(1001)))).toEqual(response(1001));
  expect([cached(cache, TRANSFORMATIONS), cached(cache, PLUGINS)]).toEqual([undefined, response(100)]);
});

test('an encoded response counts towards the limit of its family, and is dropped with its cache version', async () => {
  const cache = new ResponseCache({ maxBytes: 100_000 });
  const [plain, small] = [await cache.load(PLUGINS, 'a', versions(1), at(1, response(2000))), response(300)];
  const before = cache.statistics;
  const form = { family: PLUGINS, at: versions(1), plain, encoding: 'br' } as const;
  const make = () => cache.encode(form, async () => small);
  expect(await Promise.all([make(), make()])).toEqual([small, small]);
  expect(cache.getEncoded(form)).toEqual(small);
  expect(cache.getEncoded({ ...form, encoding: 'gzip' })).toBeUndefined();
  expect(cache.getEncoded({ ...form, at: versions(2) })).toBeUndefined();
  const { bytes, entries, hits, misses } = cache.statistics;
  expect(bytes - before.bytes).toBeGreaterThan(small.body.length);
  expect([entries, hits, misses]).toEqual([2, before.hits, before.misses]);
});

test('a compressed response that is shared by two versions has the headers of each', async () => {
  const cache = new ResponseCache({ maxBytes: 100_000 });
  const encoded = Promise.withResolvers<TaggedResponse>();
  const encode = (familyVersion: number) => {
    const plain = { ...response(100), familyCursor: `cursor ${familyVersion}` };
    const form = { family: PLUGINS, at: versions(familyVersion), plain, encoding: 'br' } as const;
    return cache.encode(form, async () => ({ ...plain, ...(await encoded.promise) }));
  };
  await cache.load(PLUGINS, 'a', versions(2), at(2, response(1)));
  const [late, current] = [encode(1), encode(2)];
  encoded.resolve(response(10));
  expect(await Promise.all([late, current])).toEqual([
    { ...response(10), familyCursor: 'cursor 1' },
    { ...response(10), familyCursor: 'cursor 2' },
  ]);
});

test('a response that could not be compressed is not cached as encoded', async () => {
  const cache = new ResponseCache({ maxBytes: 100_000 });
  const plain = await cache.load(PLUGINS, 'a', versions(1), at(1, response(2000)));
  const form = { family: PLUGINS, at: versions(1), plain, encoding: 'br' } as const;
  expect(await cache.encode(form, async () => plain)).toEqual(plain);
  expect(cache.getEncoded(form)).toBeUndefined();
});
