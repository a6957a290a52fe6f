import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, onTestFinished } from 'vitest';
import { propertyRuns } from '../../../../tools/property-runs.ts';
import { runtimeTest, exists, soon } from '../testing/runtime.fixture.ts';
import { fakeProjects, type FakeProjects } from '../testing/fake-projects.ts';
import { errorResponse } from '../testing/fake-service.ts';
import { openRuntime, type LazyProjectsRuntime, type ProjectsRuntimeOptions } from './index.ts';

const test = runtimeTest.extend<{ readonly service: FakeProjects }>({
  service: async ({}, use) => {
    await using service = await fakeProjects();
    await use(service);
  },
});

const COMMON = {
  key: 'phx_key',
  projects: 'all',
  family: 'plugin_configs',
  instance: 'test',
  retry: { baseMs: 1, maxPauseMs: 5 },
} as const;

type Options = Partial<Omit<ProjectsRuntimeOptions, 'load'>>;

async function open({ url }: { readonly url: string }, options: Options = {}) {
  const runtime = await openRuntime({ ...COMMON, url, ...options });
  onTestFinished(async () => runtime.close());
  return runtime;
}

async function openLazy({ url }: { readonly url: string }, options: Options = {}) {
  const runtime = await openRuntime({ ...COMMON, url, load: 'lazy', ...options });
  onTestFinished(async () => runtime.close());
  return runtime;
}

/** Returns the changes that a listener gets, a line each, and the codes of errors. */
function observe(runtime: Pick<LazyProjectsRuntime, 'on'>) {
  const changes: string[] = [];
  const errors: string[] = [];
  runtime.on('change', (projects) => {
    for (const { project_id, version, gone } of projects)
      changes.push(`${project_id} ${gone ? 'gone' : version}`);
  });
  runtime.on('error', (error) => errors.push('code' in error ? String(error.code) : error.message));
  return { changes, errors };
}

test('a runtime gets all projects, page by page, then follows their changes', async ({ service }) => {
  for (let id = 1; id <= 5; id++) service.change(id, 'a', `tenant-${id}`);
  const runtime = await open(service);
  expect(runtime.project('ext:tenant-5')).toMatchObject({ project_id: 5, version: 'a', error: null });
  expect([runtime.project(6), runtime.project('ext:other'), runtime.stale]).toEqual([null, null, false]);
  const { changes, errors } = observe(runtime);
  await soon(() => changes).toEqual(['1 a', '2 a', '3 a', '4 a', '5 a']);
  service.change(2, 'b');
  await soon(() => changes.slice(5)).toEqual(['2 b']);
  expect(runtime.project(2)?.results[0]?.name).toBe('b');
  service.change(3, null);
  await soon(() => changes.slice(6)).toEqual(['3 gone']);
  expect([runtime.project(3), runtime.project('ext:tenant-3')]).toEqual([null, null]);
  expect(service.feeds.map(({ path }) => path.split('?')[1]).slice(0, 4)).toEqual([
    undefined,
    'after=0.0.2.5',
    'after=0.0.4.5',
    'after=0.5&wait=50',
  ]);
  expect(errors).toEqual([]);
});

test('filters are sent with each request', async ({ service }) => {
  service.change(1, 'a');
  const runtime = await openLazy(service, { plugins: [7, 9], shard: '1/4' });
  await runtime.project(1);
  const paths = service.requests.map(({ path }) => path);
  expect(paths[0]).toBe('/api/runtime/plugin_configs?plugin=7&plugin=9&shard=1%2F4&content=false');
  expect(paths).toContain('/api/runtime/plugin_configs/read?plugin=7&plugin=9');
});

test('an external id is found at the project that has it now', async ({ service }) => {
  service.change(1, 'a', 'acme');
  service.change(2, 'a', 'globex');
  const runtime = await open(service);
  service.change(2, 'a', 'acme');
  service.change(1, 'a', 'initech');
  await soon(() => runtime.project('ext:acme')?.project_id).toBe(2);
  await soon(() => runtime.project('ext:initech')?.project_id).toBe(1);
  expect(runtime.project('ext:globex')).toBeNull();
});

test('after a reset, what does not come again is gone, and what has not changed is not delivered', async ({
  service,
}) => {
  for (let id = 1; id <= 5; id++) service.change(id, 'a');
  const runtime = await open(service);
  const { changes } = observe(runtime);
  await soon(() => changes).toHaveLength(5);
  service.respond('hang up');
  service.change(4, null);
  service.change(5, 'b');
  service.reset();
  service.respond(null);
  await soon(() => changes.slice(5).toSorted()).toEqual(['4 gone', '5 b']);
  expect(runtime.project(1)?.version).toBe('a');
});

test('a cursor that another release cannot read is dropped', async ({ service }) => {
  service.change(1, 'a');
  const runtime = await open(service);
  const { changes, errors } = observe(runtime);
  await soon(() => changes).toEqual(['1 a']);
  service.respond(errorResponse(400, 'invalid_input', { attr: 'after' }));
  await soon(() => errors.length).toBeGreaterThan(0);
  service.change(2, 'a');
  service.respond(null);
  await soon(() => changes).toEqual(['1 a', '2 a']);
});

test('a page that is older than what was written back is no change, and is read again', async ({
  service,
}) => {
  for (const id of [1, 2]) service.change(id, 'a');
  const runtime = await open(service);
  const { changes } = observe(runtime);
  await soon(() => changes.length).toBe(2);
  await soon(() => service.feeds.at(-1)?.path).toContain('wait=');
  const { promise, resolve } = Promise.withResolvers<void>();
  service.holdReads(() => promise);
  const [record] = runtime.project(1)?.results ?? [];
  if (record === undefined) throw new Error('There is no record.');
  const first = await runtime.setSecrets(1, record, { token: 'hunter3' });
  await runtime.setSecrets(1, first, { token: 'hunter4' });
  resolve();
  service.change(2, 'b');
  await soon(() => changes.at(-1)).toBe('2 b');
  expect(changes.slice(2)).toEqual(['2 b']);
  expect(runtime.project(1)?.version).toBe('a++');
});

test('a project that is too large keeps its last records', async ({ service }) => {
  service.change(1, 'a');
  const runtime = await open(service);
  service.change(1, 'too_large');
  await soon(() => runtime.project(1)).toMatchObject({
    version: null,
    error: 'too_large',
    results: [{ name: 'a' }],
  });
});

test('reports have the cursor, and the failures of a project until it changes', async ({ service }) => {
  service.change(1, 'a');
  service.change(2, 'bad');
  const plugins = { geoip: { version: '2.3.1', schemas: [3] } };
  const runtime = await open(service, { labels: { region: 'eu' }, runs: plugins });
  runtime.on('change', (projects) => {
    const failed = projects
      .filter(({ version }) => version === 'bad')
      .map(({ project_id }) => ({ project_id, id: 1, error: 'The token was rejected.' }));
    if (failed.length > 0) runtime.failed('1 record failed', failed);
  });
  const failed = [{ project_id: 2, id: 1, error: 'The token was rejected.' }];
  const labels = { region: 'eu' };
  await soon(() => service.reports.at(-1)).toEqual({
    cursor: '0.2',
    status: 'failed',
    error: '1 record failed',
    failed,
    labels,
    plugins,
  });
  service.change(1, 'b');
  await expect
    .poll(() => service.reports.at(-1), { timeout: 3000 })
    .toMatchObject({ cursor: '0.3', status: 'failed', failed });
  service.change(2, 'good');
  await expect
    .poll(() => service.reports.at(-1), { timeout: 3000 })
    .toEqual({ cursor: '0.4', status: 'applied', labels, plugins });
});

test('during an outage, a runtime starts from the file, and then gets what it missed', async ({
  service,
  cacheFile,
}) => {
  for (let id = 1; id <= 3; id++) service.change(id, 'a', `tenant-${id}`);
  const first = await open(service, { cacheFile });
  await soon(async () => exists(cacheFile)).toBe(true);
  service.change(2, 'b');
  await soon(() => first.project(2)?.version).toBe('b');
  await first.close();
  service.change(1, null);
  service.respond('hang up');
  const runtime = await open(service, { cacheFile });
  const { changes } = observe(runtime);
  expect(runtime.stale).toBe(true);
  expect(runtime.project('ext:tenant-3')).toMatchObject({ version: 'a' });
  await soon(() => changes).toHaveLength(3);
  service.respond(null);
  await soon(() => runtime.stale).toBe(false);
  expect(runtime.project(1)).toBeNull();
  await soon(() => changes.at(-1)).toBe('1 gone');
});

test('a runtime with other filters does not use the file', async ({ service, cacheFile }) => {
  service.change(1, 'a');
  await (await open(service, { cacheFile })).close();
  await soon(async () => exists(cacheFile)).toBe(true);
  service.respond('hang up');
  for (const other of [{ plugins: [7] }, { shard: '0/2' }] as const)
    await expect(open(service, { cacheFile, startTimeoutMs: 0, ...other })).rejects.toThrow('reached');
  expect((await open(service, { cacheFile })).project(1)?.version).toBe('a');
});

test('a revoked key stops the runtime and removes its file', async ({ service, cacheFile }) => {
  service.change(1, 'a');
  const runtime = await open(service, { cacheFile });
  const { errors } = observe(runtime);
  await soon(async () => exists(cacheFile)).toBe(true);
  service.respond(errorResponse(401, 'authentication_failed'));
  await soon(() => errors).toEqual(['authentication_failed']);
  expect(() => runtime.project(1)).toThrow('authentication_failed');
  expect(await exists(cacheFile)).toBe(false);
});

test('an error page or half a response changes nothing', async ({ service }) => {
  service.change(1, 'a');
  const runtime = await open(service);
  const { errors } = observe(runtime);
  for (const response of [
    errorResponse(503, 'unavailable'),
    errorResponse(429, 'throttled'),
    { body: { hello: 'from a captive portal' } },
    { body: '{"cursor": "0.9", "proj' },
  ]) {
    const before = errors.length;
    service.respond(response);
    await soon(() => errors.length).toBeGreaterThan(before);
    expect([runtime.stale, runtime.project(1)?.version]).toEqual([true, 'a']);
  }
});

test('a lazy runtime reads a project when it is wanted, once for each version', async ({ service }) => {
  for (let id = 1; id <= 3; id++) service.change(id, 'a', `tenant-${id}`);
  const runtime = await openLazy(service);
  const { changes } = observe(runtime);
  await soon(() => changes).toEqual(['1 a', '2 a', '3 a']);
  const [one, again, two] = await Promise.all(
    [1, 'ext:tenant-1' as const, 2].map(async (id) => runtime.project(id)),
  );
  expect([one?.results[0]?.name, again, two?.version]).toEqual(['a', one, 'a']);
  expect(service.reads).toEqual(['{"projects":[1,2]}']);
  expect(await runtime.project(1)).toBe(one);
  expect(service.reads).toHaveLength(1);
  service.change(1, 'b');
  await soon(() => changes.at(-1)).toBe('1 b');
  expect((await runtime.project(1))?.version).toBe('b');
  expect(await runtime.project(4)).toBeNull();
  expect(service.reads).toHaveLength(2);
});

test('a project that changes while it is read is read again', async ({ service }) => {
  service.change(1, 'a');
  const runtime = await openLazy(service);
  const { changes } = observe(runtime);
  await soon(() => changes).toEqual(['1 a']);
  service.holdReads(async () => {
    service.holdReads(null);
    service.change(1, 'b');
    await soon(() => changes).toEqual(['1 a', '1 b']);
  });
  expect((await runtime.project(1))?.version).toBe('b');
  expect(service.reads).toHaveLength(2);
});

test('projects that do not fit into a response are read with the next request', async ({ service }) => {
  for (let id = 1; id <= 5; id++) service.change(id, 'a');
  const runtime = await openLazy(service);
  const found = await Promise.all([1, 2, 3, 4, 5].map(async (id) => runtime.project(id)));
  expect(found.map((project) => project?.project_id)).toEqual([1, 2, 3, 4, 5]);
  expect(service.reads).toHaveLength(3);
});

test('during an outage, a lazy runtime has what it has read, also after a restart', async ({
  service,
  cacheFile,
}) => {
  for (let id = 1; id <= 2; id++) service.change(id, 'a');
  const first = await openLazy(service, { cacheFile });
  await first.project(1);
  service.change(2, 'b');
  const { changes } = observe(first);
  await soon(() => changes).toContain('2 b');
  await soon(() => service.feeds.at(-1)?.path).toContain('after=0.3');
  await first.close();
  service.respond('hang up');
  const runtime = await openLazy(service, { cacheFile });
  expect(await runtime.project(1)).toMatchObject({ version: 'a', results: [{ name: 'a' }] });
  await expect(runtime.project(2)).rejects.toMatchObject({ code: 'unreachable' });
  service.respond(errorResponse(403, 'permission_denied'));
  await expect.poll(async () => runtime.project(2).catch(String)).toContain('denied');
});

const incident = fc.record({
  changes: fc.array(fc.record({ id: fc.integer({ min: 1, max: 5 }), isDeleted: fc.boolean() }), {
    maxLength: 4,
  }),
  response: fc.constantFrom(
    null,
    'hang up' as const,
    errorResponse(503, 'unavailable'),
    errorResponse(429, 'throttled'),
    { body: '{"cursor"' },
  ),
  isReset: fc.boolean(),
  isRestarted: fc.boolean(),
  pauseMs: fc.integer({ min: 0, max: 10 }),
});

test('despite failures, no listener gets an older version of a project, and finally each has what the service has', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('lazy' as const, undefined),
      fc.array(incident, { minLength: 2, maxLength: 8 }),
      async (load, incidents) => {
        await using service = await fakeProjects();
        const folder = await mkdtemp(join(tmpdir(), 'plugin-config-incidents-'));
        const options = { ...COMMON, url: service.url, cacheFile: join(folder, 'projects.cache') };
        const live = new Map<number, string>();
        let count = 0;
        const change = (id: number, isDeleted: boolean): void => {
          const version = isDeleted ? null : String(++count);
          if (version === null) live.delete(id);
          else live.set(id, version);
          service.change(id, version);
        };
        change(1, false);
        const delivered = new Map<number, string>();
        const begin = async () => {
          // The overloads do not take a union.
          const runtime = await openRuntime({ ...options, load: load as 'lazy' });
          const before = new Map(delivered);
          delivered.clear();
          runtime.on('change', (projects) => {
            for (const { project_id, version, gone } of projects) {
              expect(Number(version ?? count)).toBeGreaterThanOrEqual(Number(before.get(project_id) ?? 0));
              before.set(project_id, version ?? '0');
              if (gone) delivered.delete(project_id);
              else delivered.set(project_id, version ?? '');
            }
          });
          return runtime;
        };
        let runtime = await begin();
        for (const { changes, response, isReset, isRestarted, pauseMs } of incidents) {
          service.respond(response);
          for (const { id, isDeleted } of changes) change(id, isDeleted);
          if (isReset) service.reset();
          if (isRestarted) {
            await runtime.close();
            // Without a file, a start fails during an outage.
            if (!(await exists(options.cacheFile))) service.respond(null);
            runtime = await begin();
          }
          await sleep(pauseMs);
        }
        service.respond(null);
        change(1, false);
        const sorted = (map: ReadonlyMap<number, string>) =>
          [...map].toSorted(([one], [other]) => one - other);
        await expect.poll(() => sorted(delivered), { interval: 5, timeout: 10_000 }).toEqual(sorted(live));
        for (const [id, version] of live)
          expect(await runtime.project(id)).toMatchObject({ version, results: [{ name: version }] });
        await runtime.close();
        await rm(folder, { recursive: true });
      },
    ),
    { numRuns: propertyRuns(10) },
  );
}, 60_000);
