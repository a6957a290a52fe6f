import { expect } from 'vitest';
import { runtimeTest, soon } from '../testing/runtime.fixture.ts';
import { fakeFeed, type FakeFeed } from '../testing/fake-feed.ts';
import { errorResponse } from '../testing/fake-service.ts';
import { openOne } from '../testing/open-one.ts';
import type { PluginRuntime, RuntimeRecord } from './index.ts';

const test = runtimeTest.extend<{ readonly feed: FakeFeed }>({
  feed: async ({}, use) => {
    await using feed = await fakeFeed();
    await use(feed);
  },
});

function recordOf(runtime: PluginRuntime): RuntimeRecord {
  const [record] = runtime.current().results;
  if (record === undefined) throw new Error('There is no record.');
  return record;
}

/** Returns the versions that a listener gets. */
function versionsOf(runtime: PluginRuntime): readonly string[] {
  const versions: string[] = [];
  runtime.on('change', ({ version }) => versions.push(version));
  runtime.on('error', () => undefined);
  return versions;
}

test('a written secret is in the current configuration, and no change for the listeners', async ({
  feed,
}) => {
  const runtime = await openOne(feed);
  const versions = versionsOf(runtime);
  await soon(() => feed.reads.length).toBe(2);
  const record = recordOf(runtime);
  const stored = await runtime.setSecrets(record, { token: 'hunter3' });
  expect(stored).toMatchObject({
    id: 1,
    config_version: 3,
    config: { token: 'hunter3', hosts: ['a.example'] },
  });
  expect(Object.isFrozen(stored.config)).toBe(true);
  expect(runtime.current()).toMatchObject({ version: 'a+', results: [stored] });
  expect(feed.writes).toEqual([{ config_version: 2, set: { token: 'hunter3' } }]);
  expect(feed.requests.find(({ method }) => method === 'PATCH')?.path).toBe(
    '/api/runtime/plugin_configs/records/1/config',
  );
  await soon(() => feed.reports.at(-1)?.version).toBe('a+');
  await soon(() => feed.reads.at(-1)?.headers['if-none-match']).toBe('"a+"');
  feed.change('b');
  await soon(() => versions).toEqual(['a', 'b']);
  // The next secret is based on the last one.
  await runtime.setSecrets(stored, { token: 'hunter4' });
  expect(recordOf(runtime)).toMatchObject({ config_version: 4, config: { token: 'hunter4' } });
});

test('a listener may write a secret while it is called', async ({ feed }) => {
  const runtime = await openOne(feed);
  const versions: string[] = [];
  runtime.on('change', async ({ version, results: [record] }) => {
    versions.push(version);
    if (record !== undefined && version === 'a') await runtime.setSecrets(record, { token: 'hunter3' });
  });
  await soon(() => feed.reports.at(-1)?.version).toBe('a+');
  feed.change('b');
  await soon(() => versions).toEqual(['a', 'b']);
});

test('a change of something else comes as news, with what was written', async ({ feed }) => {
  const runtime = await openOne(feed);
  const versions = versionsOf(runtime);
  await soon(() => feed.reads.length).toBe(2);
  const { promise, resolve } = Promise.withResolvers<void>();
  feed.holdReads(() => promise);
  feed.change('b');
  await runtime.setSecrets(recordOf(runtime), { token: 'hunter3' });
  resolve();
  await soon(() => runtime.current().version).toBe('b+');
  expect(recordOf(runtime)).toMatchObject({ config: { token: 'hunter3' } });
  await soon(() => versions.at(-1)).toBe('b+');
});

test('a response that is older than what was written back is no change', async ({ feed }) => {
  const runtime = await openOne(feed);
  const versions = versionsOf(runtime);
  await soon(() => feed.reads.length).toBe(2);
  const { promise, resolve } = Promise.withResolvers<void>();
  feed.holdReads(() => promise);
  const first = await runtime.setSecrets(recordOf(runtime), { token: 'hunter3' });
  await runtime.setSecrets(first, { token: 'hunter4' });
  resolve();
  await soon(() => feed.reads.at(-1)?.headers['if-none-match']).toBe('"a++"');
  feed.change('b');
  await soon(() => versions.at(-1)).toBe('b');
  expect(versions).toEqual(['a', 'b']);
});

test('temporary failures are retried, and an attempt whose response was lost counts', async ({ feed }) => {
  const runtime = await openOne(feed);
  versionsOf(runtime);
  let attempts = 0;
  feed.respondToWrites(() =>
    ++attempts === 1 ? errorResponse(503, 'unavailable') : attempts === 2 ? 'hang up' : null,
  );
  const stored = await runtime.setSecrets(recordOf(runtime), { token: 'hunter3' });
  expect(stored).toMatchObject({ config_version: 3, config: { token: 'hunter3' } });
  expect(feed.writes.map(({ config_version: version }) => version)).toEqual([2, 2, 2]);
  await soon(() => recordOf(runtime).config_version).toBe(3);
});

test('another configuration is an error, unless the caller overwrites it', async ({ feed }) => {
  const runtime = await openOne(feed);
  versionsOf(runtime);
  const record = recordOf(runtime);
  await runtime.setSecrets(record, { token: 'hunter3' });
  await expect(runtime.setSecrets(record, { token: 'hunter4' })).rejects.toMatchObject({
    code: 'precondition_failed',
  });
  const stored = await runtime.setSecrets(record, { token: 'hunter5' }, { overwrite: true });
  expect(stored).toMatchObject({ config_version: 4, config: { token: 'hunter5' } });
});

test.for([
  [400, 'invalid_input'],
  [404, 'not_found'],
] as const)(
  'a rejection with %i reaches the caller, and the runtime continues',
  async ([status, code], { feed }) => {
    const runtime = await openOne(feed);
    const versions = versionsOf(runtime);
    feed.respondToWrites(() => errorResponse(status, code));
    await expect(runtime.setSecrets(recordOf(runtime), { token: 'a' })).rejects.toMatchObject({
      status,
      code,
    });
    expect(feed.writes).toHaveLength(1);
    feed.change('b');
    await soon(() => versions.at(-1)).toBe('b');
  },
);

test('retries end with the runtime, or when the caller gives up', async ({ feed }) => {
  const runtime = await openOne(feed);
  versionsOf(runtime);
  feed.respondToWrites(() => errorResponse(503, 'unavailable'));
  const giving = new AbortController();
  const given = runtime.setSecrets(recordOf(runtime), { token: 'a' }, { signal: giving.signal });
  const open2 = runtime.setSecrets(recordOf(runtime), { token: 'a' });
  await soon(() => feed.writes.length).toBeGreaterThan(3);
  giving.abort(new Error('Enough.'));
  await expect(given).rejects.toThrow('Enough.');
  await Promise.all([expect(open2).rejects.toThrow(), runtime.close()]);
});

test('the file has a written secret at once', async ({ feed, cacheFile }) => {
  const runtime = await openOne(feed, { cacheFile });
  await runtime.setSecrets(recordOf(runtime), { token: 'hunter3' });
  feed.respondToReads(errorResponse(503, 'unavailable'));
  const next = await openOne(feed, { cacheFile, instance: 'next' });
  next.on('error', () => undefined);
  expect(next.current()).toMatchObject({
    stale: true,
    version: 'a+',
    results: [{ config: { token: 'hunter3' } }],
  });
});
