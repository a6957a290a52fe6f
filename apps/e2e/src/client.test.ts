import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  familyVersionOf,
  pluginConfigClient,
  PluginConfigError,
  tagOf,
  type ConfigRecord,
  type ConfigRecords,
} from '@plugin-config/client';
import { openRuntime } from '@plugin-config/client/runtime';
import { expect, test } from 'vitest';
import { sharedService } from './testing/shared-service.ts';
import type { Tenant } from './testing/tenant.ts';

const running = sharedService();

const FAMILIES = {
  'plugin configs': (tenant: Tenant): ConfigRecords => tenant.pluginConfigs,
  'pipeline transformation configs': (tenant: Tenant): ConfigRecords => tenant.pipelineTransformationConfigs,
};

test.for(Object.entries(FAMILIES))('the lifecycle of a record in %s', async ([, configsOf]) => {
  const tenant = await running().tenant();
  const configs = configsOf(tenant);
  const created = await configs.create({ plugin: 7, name: 'GeoIP', enabled: true });
  expect(created).toMatchObject({
    plugin: 7,
    name: 'GeoIP',
    enabled: true,
    order: 1,
    team_id: tenant.projectId,
  });
  const second = await configs.create({ plugin: 8 });
  expect(await configs.retrieve(created.id)).toEqual(created);
  expect(await configs.update(created.id, { description: 'By city' })).toMatchObject({
    description: 'By city',
  });
  expect(await configs.setConfiguration(created.id, { host: 'a.example' })).toMatchObject({
    config: '{"host":"a.example"}',
  });
  expect(await configs.frontend(created.id)).toMatchObject({ id: created.id, config: '{}' });
  expect(await configs.rearrange({ plugin: 8, order: 1 })).toMatchObject({ id: second.id, order: 1 });
  const positions = await configs.setPositions({ [created.id]: 1, [second.id]: 2 });
  expect(positions.map(({ id }) => id)).toEqual([created.id, second.id]);
  expect(await Array.fromAsync(configs.list({ enabled: true, search: 'geo' }))).toMatchObject([
    { id: created.id },
  ]);
  expect(await configs.replace(second.id, { plugin: 8, name: 'Webhook' })).toMatchObject({
    name: 'Webhook',
    order: 2,
  });
  await configs.delete(created.id);
  expect(await Array.fromAsync(configs.list())).toMatchObject([{ id: second.id }]);
  expect(await Array.fromAsync(configs.list({ deleted: true }))).toMatchObject([{ id: created.id }]);
  const activity = await configs.activity(created.id, { limit: 2 }).page();
  expect(activity).toMatchObject({ id: created.id, deleted: true, count: 6 });
  const names = (await Array.fromAsync(configs.activity(created.id, { limit: 2 }))).map(
    (entry) => entry.activity,
  );
  expect(names).toEqual(['deleted', 'rearranged', 'rearranged', 'config_updated', 'updated', 'created']);
});

test('a job is queued and followed until it finishes', async () => {
  const { pluginConfigs } = await running().tenant();
  const { id } = await pluginConfigs.create({ plugin: 7 });
  const { jobId, record } = await pluginConfigs.queueJob(id, { name: 'By a job' });
  expect(record).toMatchObject({ id, name: null });
  let job = await pluginConfigs.job(id, jobId);
  while (job.state === 'queued' || job.state === 'running') {
    await sleep(20);
    job = await pluginConfigs.job(id, jobId);
  }
  expect(job).toMatchObject({ id: jobId, state: 'succeeded', attempts: 1 });
  expect(await pluginConfigs.retrieve(id)).toMatchObject({ name: 'By a job' });
  const { output, ...listed } = job;
  expect(output).toBeNull();
  expect(await Array.fromAsync(pluginConfigs.jobs(id, { state: 'succeeded' }))).toEqual([listed]);
  await expect(pluginConfigs.cancelJob(id, jobId)).rejects.toMatchObject({
    code: 'job_not_queued',
    status: 409,
  });
});

test('listings read all pages of records and projects', async () => {
  const tenant = await running().tenant();
  const created: number[] = [];
  for (let plugin = 1; plugin <= 25; plugin++) created.push(await tenant.attach(plugin));
  const pages = await Array.fromAsync(tenant.pluginConfigs.list({ limit: 10 }).pages());
  expect(pages.map(({ count, results }) => [count, results.length])).toEqual([
    [25, 10],
    [25, 10],
    [25, 5],
  ]);
  const listed = await Array.fromAsync(tenant.pluginConfigs.list({ limit: 10 }));
  expect(listed.map(({ id }) => id)).toEqual(created);
  const api = pluginConfigClient({ url: tenant.api, key: tenant.token });
  expect(await Array.fromAsync(api.projects({ limit: 1 }))).toEqual([
    await api.project('@current').retrieve(),
  ]);
});

test('a poller gets the same objects while there are no changes', async () => {
  const { pluginConfigs } = await running().tenant();
  const { id } = await pluginConfigs.create({ plugin: 7 });
  const [record, page] = [await pluginConfigs.retrieve(id), await pluginConfigs.list().page()];
  expect(await pluginConfigs.retrieve(id, { ifNoneMatch: record })).toBe(record);
  expect(await pluginConfigs.list().page({ ifNoneMatch: page })).toBe(page);
  const updated = await pluginConfigs.update(id, { enabled: true });
  expect(await pluginConfigs.retrieve(id, { ifNoneMatch: record })).toEqual(updated);
  expect((await pluginConfigs.list().page({ ifNoneMatch: page })).results).toEqual([updated]);
});

test('a poller of changes gets the latest state of each changed record, page by page', async () => {
  const { pluginConfigs, attach } = await running().tenant();
  const gone = await attach();
  const first = await pluginConfigs.list().page();
  const created = [await attach(), await attach(), await attach()];
  await pluginConfigs.delete(gone);
  let version = familyVersionOf(first);
  const poll = async (): Promise<readonly ConfigRecord[]> => {
    const records: ConfigRecord[] = [];
    for await (const page of pluginConfigs.list({ changed_since: version, limit: 2 }).pages()) {
      records.push(...page.results);
      version = familyVersionOf(page);
    }
    return records;
  };
  expect((await poll()).map(({ id, deleted }) => [id, deleted])).toEqual([
    ...created.map((id) => [id, false]),
    [gone, true],
  ]);
  expect(await poll()).toEqual([]);
  await pluginConfigs.update(gone, { deleted: false });
  expect(await poll()).toMatchObject([{ id: gone, deleted: false }]);
});

test('a write conditional on a stale record fails, and a page can be the condition of a rearrange', async () => {
  const { pluginConfigs } = await running().tenant();
  const { id } = await pluginConfigs.create({ plugin: 7 });
  const [stale, page] = [await pluginConfigs.retrieve(id), await pluginConfigs.list().page()];
  expect(await pluginConfigs.update(id, { name: 'New' }, { ifMatch: stale })).toMatchObject({ name: 'New' });
  const rejected = { code: 'precondition_failed', status: 412, type: 'invalid_request' };
  await expect(pluginConfigs.delete(id, { ifMatch: tagOf(stale) })).rejects.toMatchObject(rejected);
  await expect(pluginConfigs.rearrange({ plugin: 7, order: 3 }, { ifMatch: page })).rejects.toMatchObject(
    rejected,
  );
  const fresh = await pluginConfigs.list().page();
  expect(await pluginConfigs.rearrange({ plugin: 7, order: 3 }, { ifMatch: fresh })).toMatchObject({
    order: 3,
  });
});

test('twenty concurrent increments of one record lose no update', async () => {
  const { pluginConfigs } = await running().tenant();
  const { id } = await pluginConfigs.create({ plugin: 7, description: '0' });
  const countUp = async () =>
    pluginConfigs.update(id, ({ description }) => ({ description: String(Number(description) + 1) }));
  await Promise.all(Array.from({ length: 20 }, countUp));
  expect(await pluginConfigs.retrieve(id)).toMatchObject({ description: '20' });
});

test('errors carry the code and detail of the service', async () => {
  const tenant = await running().tenant(['plugin:read']);
  const failures = await Promise.allSettled([
    tenant.pluginConfigs.retrieve(1),
    tenant.pluginConfigs.create({ plugin: 7 }),
    tenant.pluginConfigs.list({ limit: 0 }).page(),
    pluginConfigClient({ url: tenant.api, key: 'phx_wrong' }).projects().page(),
    pluginConfigClient({ url: tenant.ingestion, key: tenant.token }).projects().page(),
  ]);
  const errors = failures.map((failure) =>
    failure.status === 'rejected' ? (failure.reason as unknown) : null,
  );
  expect(errors.every((error) => error instanceof PluginConfigError)).toBe(true);
  expect(errors).toMatchObject([
    { status: 404, code: 'not_found', requestId: expect.any(String) as unknown },
    { status: 403, code: 'permission_denied' },
    { status: 400, code: 'invalid_input', attr: 'limit', type: 'validation_error' },
    { status: 401, code: 'authentication_failed' },
    { status: 404, code: 'not_found' },
  ]);
});

test('a runtime gets secrets, follows changes and reports, and loses its file when its key is revoked', async () => {
  const tenant = await running().tenant();
  const id = await tenant.attach();
  await tenant.pluginConfigs.setConfiguration(id, { token: 'hunter2' });
  await tenant.pluginConfigs.update(id, { enabled: true });
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-runtime-'));
  const options = {
    url: tenant.api,
    key: await running().issueKey(['plugin_runtime'], [tenant.projectId]),
    project: tenant.projectId,
    family: 'plugin_configs',
    instance: 'eu-1',
    cacheFile: join(folder, 'plugins.cache'),
  } as const;
  const runtime = await openRuntime(options);
  const received: unknown[] = [];
  const errors: unknown[] = [];
  runtime.on('error', (error) => errors.push(error));
  runtime.on('change', ({ results }) => {
    received.push(results[0]?.config);
    if (received.length === 2) runtime.failed('1 plugin does not run.', [{ id, error: 'Unknown host' }]);
  });
  const reported = async () => tenant.pluginConfigs.runtimes().page();
  await expect
    .poll(reported)
    .toMatchObject({ results: [{ instance: 'eu-1', current: true, status: 'applied' }] });
  await tenant.pluginConfigs.setConfiguration(id, { token: 'hunter3' });
  await expect.poll(reported).toMatchObject({
    results: [{ current: true, status: 'failed', failed: [{ id, error: 'Unknown host' }] }],
  });
  expect(received).toEqual([{ token: 'hunter2' }, { token: 'hunter3' }]);
  expect(errors).toEqual([]);

  await running().rows(
    "update api_key set revoked_at = now() where scopes = '{plugin_runtime}' and label = $1",
    [`key of project ${tenant.projectId}`],
  );
  await tenant.pluginConfigs.setConfiguration(id, { token: 'hunter4' });
  const isEnded = async () =>
    Promise.try(runtime.current).then(
      () => false,
      (error: unknown) => error instanceof PluginConfigError && error.status === 401,
    );
  await expect.poll(isEnded).toBe(true);
  await runtime.close();
  expect(errors.at(-1)).toMatchObject({ code: 'authentication_failed' });
  const unreachable = {
    ...options,
    fetch: async () => Promise.reject(new Error('No network')),
    startTimeoutMs: 0,
  };
  await expect(openRuntime(unreachable)).rejects.toMatchObject({ code: 'unreachable' });
  await rm(folder, { recursive: true });
});
