import { expect, test } from 'vitest';
import { pluginConfigClient } from '../client.ts';
import type { ConfigRecord, RecordChange } from '../wire.ts';
import { fakeService, type FakeResponse } from '../testing/fake-service.ts';
import { tagOf } from './tags.ts';

const DRY: FakeResponse = { headers: { 'dry-run': 'true' }, body: { id: 5 } };
const dryRun = { dryRun: true };

test('a write requests a dry run', async () => {
  await using service = await fakeService(() => DRY);
  const { pluginConfigs, webhooks } = pluginConfigClient({ url: service.url, key: 'phx_key' }).project(1);
  await pluginConfigs.setPositions({ 5: 1 }, dryRun);
  expect(await pluginConfigs.queueJob(5, {}, dryRun)).toMatchObject({ jobId: '' });
  await webhooks.resend(3, 'one', dryRun);
  expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'PATCH /api/projects/1/plugin_configs/rearrange?dry_run=true',
    'POST /api/projects/1/plugin_configs/5/job?dry_run=true',
    'POST /api/projects/1/webhooks/3/deliveries/one/resend?dry_run=true',
  ]);
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
