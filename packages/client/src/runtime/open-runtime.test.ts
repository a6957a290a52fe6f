import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, vi } from 'vitest';
import { runtimeTest, exists, soon } from '../testing/runtime.fixture.ts';
import { configurationOf, fakeFeed, type FakeFeed } from '../testing/fake-feed.ts';
import { errorResponse } from '../testing/fake-service.ts';
import { openOne } from '../testing/open-one.ts';
import type { CurrentConfiguration, PluginRuntime } from './index.ts';

const test = runtimeTest.extend<{ readonly feed: FakeFeed }>({
  feed: async ({}, use) => {
    await using feed = await fakeFeed();
    await use(feed);
  },
});

/** Returns the versions and errors that listeners get. */
function observe(runtime: PluginRuntime) {
  const versions: string[] = [];
  const errors: (string | undefined)[] = [];
  runtime.on('change', ({ version }) => versions.push(version));
  runtime.on('error', (error) => errors.push('code' in error ? String(error.code) : error.message));
  return { versions, errors };
}

function isEnded({ current }: PluginRuntime): boolean {
  try {
    current();
    return false;
  } catch {
    return true;
  }
}

test('a runtime gets the configuration, follows its changes, and reports what it applied', async ({
  feed,
}) => {
  const runtime = await openOne(feed, { labels: { region: 'eu' } });
  expect(runtime.current()).toEqual({ ...configurationOf('a'), stale: false, ageMs: expect.any(Number) });
  const { versions, errors } = observe(runtime);
  await soon(() => feed.reports).toHaveLength(1);
  expect(versions).toEqual(['a']);
  feed.change('b');
  await soon(() => versions).toEqual(['a', 'b']);
  await soon(() => feed.reports).toHaveLength(2);
  expect(feed.reports).toEqual(
    ['a', 'b'].map((version) => ({ version, status: 'applied', labels: { region: 'eu' } })),
  );
  expect(feed.requests[0]?.headers['authorization']).toBe('Bearer phx_key');
  expect(feed.reads.map(({ path, headers }) => [path, headers['if-none-match']]).slice(0, 2)).toEqual([
    ['/api/projects/1/plugin_configs/runtime', undefined],
    ['/api/projects/1/plugin_configs/runtime?wait=50', '"a"'],
  ]);
  expect(errors).toEqual([]);
});

test('a wait that ends without a change sends a heartbeat', async ({ feed }) => {
  const runtime = await openOne(feed);
  const { versions } = observe(runtime);
  for (const count of [1, 2, 3]) {
    await soon(() => feed.reports).toHaveLength(count);
    await soon(() => feed.reads.length).toBeGreaterThan(count);
    feed.change('a');
  }
  expect(versions).toEqual(['a']);
});

test('a runtime reports a failure if a listener throws, and continues with the next version', async ({
  feed,
}) => {
  const runtime = await openOne(feed);
  const { errors } = observe(runtime);
  runtime.on('change', async ({ version }) => {
    if (version === 'a') throw new Error('The token\0 was rejected. \ud800');
  });
  await soon(() => feed.reports).toHaveLength(1);
  feed.change('b');
  await soon(() => feed.reports).toHaveLength(2);
  expect(feed.reports).toEqual([
    { version: 'a', status: 'failed', error: 'The token was rejected. \ufffd', failed: [] },
    { version: 'b', status: 'applied' },
  ]);
  expect(errors).toEqual(['The token\0 was rejected. \ud800']);
});

test('a report from a listener replaces the automatic one', async ({ feed }) => {
  const runtime = await openOne(feed);
  const many = Array.from({ length: 101 }, (_, id) => ({ id, error: 'x'.repeat(10_001) }));
  runtime.on('change', () => runtime.failed('2 of 3 run', many));
  await soon(() => feed.reports).toHaveLength(1);
  const [report] = feed.reports;
  expect(report).toMatchObject({ version: 'a', status: 'failed', error: '2 of 3 run' });
  expect(report?.failed).toHaveLength(100);
  expect(report?.failed?.[0]?.error).toHaveLength(10_000);
  await soon(() => feed.reads).toHaveLength(2);
  expect(feed.reports).toHaveLength(1);
});

test('a report between two versions is sent immediately', async ({ feed }) => {
  const runtime = await openOne(feed);
  await soon(() => feed.reads).toHaveLength(2);
  runtime.failed(new Error('It crashed.'));
  await soon(() => feed.reports).toHaveLength(2);
  runtime.applied();
  await soon(() => feed.reports).toHaveLength(3);
  expect(feed.reports.map(({ status }) => status)).toEqual(['applied', 'failed', 'applied']);
});

test('the next version is fetched when the promises of the listeners have settled', async ({ feed }) => {
  const runtime = await openOne(feed);
  const applying = Promise.withResolvers<void>();
  const versions: string[] = [];
  runtime.on('change', async ({ version }) => {
    versions.push(version);
    await applying.promise;
  });
  await soon(() => versions).toEqual(['a']);
  feed.change('b');
  expect(feed.reads).toHaveLength(1);
  expect(feed.reports).toHaveLength(0);
  applying.resolve();
  await soon(() => versions).toEqual(['a', 'b']);
});

test('a late listener gets the current version, and a removed one gets nothing more', async ({ feed }) => {
  const runtime = await openOne(feed);
  await soon(() => feed.reads).toHaveLength(2);
  const late: string[] = [];
  const remove = runtime.on('change', ({ version }) => late.push(version));
  await soon(() => late).toEqual(['a']);
  remove();
  feed.change('b');
  await soon(() => runtime.current().version).toBe('b');
  await soon(() => feed.reports.at(-1)?.version).toBe('b');
  expect(late).toEqual(['a']);
});

test('listeners cannot change the configuration', async ({ feed }) => {
  const runtime = await openOne(feed);
  runtime.on('change', ({ results }) => Object.assign(results[0]?.config ?? {}, { token: 'changed' }));
  await soon(() => feed.reports).toMatchObject([{ status: 'failed' }]);
  expect(runtime.current().results).toEqual(configurationOf('a').results);
});

test('during an outage, a runtime starts from the file, and recovers afterwards', async ({
  feed,
  cacheFile,
}) => {
  await (await openOne(feed, { cacheFile })).close();
  await soon(async () => exists(cacheFile)).toBe(true);
  feed.respondToReads('hang up');
  const runtime = await openOne(feed, { cacheFile });
  expect(runtime.current()).toMatchObject({ ...configurationOf('a'), stale: true });
  const { versions, errors } = observe(runtime);
  await soon(() => errors.length).toBeGreaterThan(2);
  expect(new Set(errors)).toEqual(new Set(['unreachable']));
  const reports = feed.reports.length;
  feed.respondToReads(null);
  await soon(() => runtime.current().stale).toBe(false);
  await soon(() => feed.reports.length).toBeGreaterThan(reports);
  expect(versions).toEqual(['a']);
  feed.change('b');
  await soon(() => versions).toEqual(['a', 'b']);
});

test('during an outage, a runtime keeps its configuration and marks it as stale', async ({ feed }) => {
  const runtime = await openOne(feed);
  const { versions, errors } = observe(runtime);
  await soon(() => feed.reads).toHaveLength(2);
  for (const response of [
    errorResponse(503, 'unavailable'),
    errorResponse(429, 'throttled'),
    errorResponse(500, 'error'),
    errorResponse(400, 'too_large'),
    { status: 404, body: '<h1>No such host</h1>' },
    { status: 302, headers: { location: '/login' } },
    { body: { hello: 'from a captive portal' } },
    { body: '' },
    { body: '{"version": "c", "resu' },
  ]) {
    const before = errors.length;
    feed.respondToReads(response);
    await soon(() => errors.length).toBeGreaterThan(before);
    expect(runtime.current()).toMatchObject({ version: 'a', stale: true });
  }
  feed.respondToReads(null);
  await soon(() => runtime.current().stale).toBe(false);
  expect(versions).toEqual(['a']);
});

test('with neither the service nor a file, opening a runtime rejects after the timeout', async ({
  feed,
  cacheFile,
}) => {
  feed.respondToReads(errorResponse(503, 'unavailable'));
  await expect(openOne(feed, { cacheFile, startTimeoutMs: 500 })).rejects.toMatchObject({
    code: 'unavailable',
  });
  expect(feed.reads.length).toBeGreaterThan(1);
  setTimeout(() => feed.respondToReads(null), 20);
  const runtime = await openOne(feed, { cacheFile });
  expect(runtime.current().version).toBe('a');
});

test('Retry-After is respected', async ({ feed }) => {
  feed.respondToReads(errorResponse(503, 'unavailable', { headers: { 'retry-after': '60' } }));
  await expect(openOne(feed, { startTimeoutMs: 59_000 })).rejects.toMatchObject({ retryAfterSeconds: 60 });
  expect(feed.reads).toHaveLength(1);
});

test.for([
  [401, 'authentication_failed'],
  [403, 'permission_denied'],
  [404, 'not_found'],
] as const)(
  'a %i at the start is an error and removes the file, so the next outage cannot use it',
  async ([status, code], { feed, cacheFile }) => {
    await (await openOne(feed, { cacheFile })).close();
    await soon(async () => exists(cacheFile)).toBe(true);
    feed.respondToReads(errorResponse(status, code));
    await expect(openOne(feed, { cacheFile })).rejects.toMatchObject({ status, code });
    feed.respondToReads(errorResponse(503, 'unavailable'));
    await expect(openOne(feed, { cacheFile, startTimeoutMs: 0 })).rejects.toMatchObject({ status: 503 });
  },
);

test('a revoked key stops the runtime and removes its file', async ({ feed, cacheFile }) => {
  const runtime = await openOne(feed, { cacheFile });
  const { errors } = observe(runtime);
  await soon(() => feed.reads).toHaveLength(2);
  feed.respondToReads(errorResponse(401, 'authentication_failed'));
  await soon(() => errors).toEqual(['authentication_failed']);
  expect(() => runtime.current()).toThrow('authentication_failed');
  expect(await exists(cacheFile)).toBe(false);
  runtime.on('change', () => expect.unreachable());
  runtime.applied();
  await runtime.close();
  expect(feed.reads).toHaveLength(2);
});

test('a denial is reported even if the runtime is closed while its file is being removed', async ({
  feed,
  cacheFile,
}) => {
  const runtime = await openOne(feed, { cacheFile });
  const { errors } = observe(runtime);
  await soon(() => feed.reads).toHaveLength(2);
  feed.respondToReads(errorResponse(401, 'authentication_failed'));
  while (!isEnded(runtime)) await setImmediate();
  await runtime.close();
  expect(errors).toEqual(['authentication_failed']);
  expect(await exists(cacheFile)).toBe(false);
});

test('a file that cannot be used is an error, and the runtime starts from the service', async ({
  feed,
  cacheFile,
}) => {
  await writeFile(cacheFile, 'plugin-config-runtime 2\n');
  const runtime = await openOne(feed, { cacheFile });
  const { versions, errors } = observe(runtime);
  await expect
    .poll(() => errors)
    .toEqual([expect.stringContaining('another release of the client wrote it')]);
  expect(versions).toEqual(['a']);
  await runtime.close();
  feed.respondToReads('hang up');
  expect((await openOne(feed, { cacheFile })).current()).toMatchObject({ version: 'a', stale: true });
});

test('a file that cannot be written is an error, and the runtime continues', async ({ feed, cacheFile }) => {
  const runtime = await openOne(feed, { cacheFile: join(cacheFile, 'missing', 'plugins.cache') });
  const { versions, errors } = observe(runtime);
  feed.change('b');
  await soon(() => versions).toEqual(['a', 'b']);
  expect(errors).toEqual([expect.stringContaining('ENOENT'), expect.stringContaining('ENOENT')]);
});

test('the age of a configuration is not affected by changes to the system clock', async ({ feed }) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const runtime = await openOne(feed);
  for (const year of [2099, 1999]) {
    vi.setSystemTime(new Date(`${year}-01-01`));
    const { ageMs } = runtime.current();
    expect([ageMs >= 0, ageMs < 60_000]).toEqual([true, true]);
  }
});

test('a report that fails is an error, and the runtime continues', async ({ feed }) => {
  feed.respondToReports(errorResponse(400, 'invalid_input'));
  const runtime = await openOne(feed);
  const { versions, errors } = observe(runtime);
  await soon(() => errors).toEqual(['invalid_input']);
  feed.respondToReports({ status: 204 });
  feed.change('b');
  await soon(() => feed.reports).toEqual([{ version: 'b', status: 'applied' }]);
  expect(versions).toEqual(['a', 'b']);
});

test('a wait that is cut short is followed by a pause', async ({ feed }) => {
  vi.spyOn(Math, 'random').mockReturnValue(0.99);
  onTestFinished(() => void vi.restoreAllMocks());
  await openOne(feed, { retry: { baseMs: 60_000 } });
  await soon(() => feed.reads).toHaveLength(2);
  feed.change('a');
  await sleep(50);
  expect(feed.reads).toHaveLength(2);
});

test('close() ends the wait, even if called by a listener that never finishes', async ({ feed }) => {
  const runtime = await openOne(feed);
  const closed = Promise.withResolvers<void>();
  const versions: string[] = [];
  runtime.on('change', async ({ version }: CurrentConfiguration) => {
    versions.push(version);
    if (version === 'a') return;
    await runtime.close();
    closed.resolve();
    await new Promise(() => undefined);
  });
  await soon(() => feed.reads).toHaveLength(2);
  feed.change('b');
  await closed.promise;
  await runtime.close();
  feed.change('c');
  expect(versions).toEqual(['a', 'b']);
  expect(runtime.current().version).toBe('b');
  expect(feed.reads).toHaveLength(2);
});
