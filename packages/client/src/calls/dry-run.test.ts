import {
  administrationEndpoints,
  hasDryRun,
  projectEndpoints,
  recordEndpoints,
  revisionEndpoints,
  runtimeEndpoints,
  sessionEndpoints,
  streamEndpoints,
  subresourceEndpoints,
} from '@plugin-config/contract';
import { expect, test } from 'vitest';
import { pluginConfigClient } from '../client.ts';
import type { ConfigRecord, RecordChange } from '../wire.ts';
import { fakeService, type FakeResponse } from '../testing/fake-service.ts';
import { tagOf } from './tags.ts';

const DRY: FakeResponse = { headers: { 'dry-run': 'true' }, body: { id: 5 } };
const dryRun = { dryRun: true };

test('every write supports dry runs', async () => {
  await using service = await fakeService(() => DRY);
  const client = pluginConfigClient({ url: service.url, key: 'phx_key' });
  const { update, delete: remove, pluginConfigs: configs } = client.project('project_id' as '@current');
  const [id, key, plugin] = ['id', 'key_id', 'plugin_id'] as unknown as readonly [number, number, number];
  await update({ name: 'Shop' }, dryRun);
  await remove('Shop', dryRun);
  await client.keys.create({ label: 'CI', scopes: ['plugin:read'] }, dryRun);
  await client.keys.revoke(key, dryRun);
  await client.createProject({ name: 'Shop' }, dryRun);
  await client.plugins.register(plugin, { name: 'Webhook' }, dryRun);
  await client.plugins.remove(plugin, dryRun);
  await configs.create({ plugin: 7 }, dryRun);
  await configs.rearrange({ plugin: 7, order: 1 }, dryRun);
  await configs.setPositions({ 5: 1 }, dryRun);
  await configs.update(id, {}, dryRun);
  await configs.replace(id, { plugin: 7 }, dryRun);
  await configs.delete(id, dryRun);
  await configs.setConfiguration(id, {}, dryRun);
  await configs.patchConfiguration(id, {}, dryRun);
  expect(await configs.queueJob(id, {}, dryRun)).toMatchObject({ jobId: '' });
  await configs.cancelJob(id, 'job_id', dryRun);
  await configs.reportRuntime('instance', { version: '1', status: 'applied' }, dryRun);
  await configs.forgetRuntime('instance', dryRun);
  await configs.restoreRevision(id, 'revision' as unknown as number, dryRun);
  const sent = service.requests.map(({ method, path }) => `${method} ${path}`);
  const definitions = Object.values({
    ...projectEndpoints,
    ...sessionEndpoints,
    ...administrationEndpoints,
    ...recordEndpoints,
    ...revisionEndpoints,
    ...runtimeEndpoints,
    ...subresourceEndpoints,
    ...streamEndpoints,
  });
  const writes = definitions
    .filter((endpoint) => hasDryRun(endpoint))
    .map(({ method, path }) => `${method} ${path.replaceAll(':', '').replace('/family', '/plugin_configs')}`);
  expect(new Set(sent)).toEqual(new Set(writes.map((one) => `${one}?dry_run=true`)));
});

test('a response that is not marked as a dry run is an error, and the request is not retried', async () => {
  await using service = await fakeService(() => ({ body: { id: 5 }, headers: { 'x-request-id': 'one' } }));
  const { pluginConfigs } = pluginConfigClient({ url: service.url, key: 'phx_key' }).project(1);
  await expect(pluginConfigs.create({ plugin: 7 }, dryRun)).rejects.toMatchObject({
    code: 'no_dry_run',
    status: 200,
    requestId: 'one',
  });
  expect(service.requests).toHaveLength(1);
});

test('a normal write does not request a dry run', async () => {
  await using service = await fakeService(() => ({ body: { id: 5 } }));
  const { pluginConfigs } = pluginConfigClient({ url: service.url, key: 'phx_key' }).project(1);
  await pluginConfigs.update(5, {}, { dryRun: false });
  expect(service.requests.map(({ path }) => path)).toEqual(['/api/projects/1/plugin_configs/5']);
});

test('a dry run of an update by a function reads the record and uses it as the condition', async () => {
  await using service = await fakeService(({ method }) =>
    method === 'GET' ? { headers: { etag: '"5.1"' }, body: { id: 5, name: 'a' } } : DRY,
  );
  const { pluginConfigs } = pluginConfigClient({ url: service.url, key: 'phx_key' }).project(1);
  const change = ({ name }: ConfigRecord): RecordChange => ({ name: `${name}b` });
  const record = await pluginConfigs.update(5, change, dryRun);
  expect(tagOf(record)).toBeUndefined();
  expect(service.requests).toMatchObject([
    { method: 'GET', path: '/api/projects/1/plugin_configs/5' },
    { method: 'PATCH', path: '/api/projects/1/plugin_configs/5?dry_run=true', text: '{"name":"ab"}' },
  ]);
  expect(service.requests[1]?.headers['if-match']).toBe('"5.1"');
});
