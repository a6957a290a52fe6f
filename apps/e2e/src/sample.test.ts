/** @module-tag long */

import { pluginConfigClient } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { sampleService } from './testing/sample-service.ts';

test('the sample has ordered records with logs, errors, deliveries, an incident, and a runtime that does jobs', async () => {
  await using sample = await sampleService();
  const client = pluginConfigClient({ url: sample.url, key: sample.key });
  const { pluginConfigs, incidents } = client.project(sample.projectId);
  const read = async () => (await pluginConfigs.list().page()).results;
  await expect.poll(async () => (await read())[1]?.delivery_rate_24h).toBe('1.0000');
  const results = await read();
  expect(results.map(({ name }) => name)).toEqual([
    'Nightly export',
    'GeoIP',
    'Orders to the shop',
    'Old webhook',
  ]);
  const [failing] = results;
  expect(failing?.error).toContain('does not exist');
  expect(Number(failing?.delivery_rate_24h)).toBeLessThan(1);
  for (const { id, enabled } of results) {
    const { count } = await pluginConfigs.logs(id).page();
    expect(count > 200).toBe(enabled);
  }
  const readRuntimes = async () => (await pluginConfigs.runtimes().page()).results;
  await expect.poll(async () => (await readRuntimes()).length).toBe(1);
  expect(await readRuntimes()).toMatchObject([
    { instance: 'sample-runtime', online: true, current: true, status: 'failed' },
  ]);
  const [runtime] = await readRuntimes();
  expect(runtime?.failed).toEqual([{ id: failing?.id, error: expect.stringContaining('set "key_file"') }]);
  const tenants = await Array.fromAsync(client.projects());
  expect(tenants.map(({ external_id }) => external_id)).toEqual([null, 'acme-corp', 'globex', 'initech']);
  for (const externalId of ['globex', 'initech'] as const) {
    const { results: hosts } = await client.project(`ext:${externalId}`).pluginConfigs.runtimes().page();
    expect(hosts).toMatchObject([{ instance: 'sample-runtime', current: true, failed: [] }]);
  }
  const flaky = results[2]?.id ?? 0;
  const failed = await Array.fromAsync(pluginConfigs.failedDeliveries(flaky));
  const [from = '', to] = [failed.at(-1)?.at, new Date().toISOString()];
  const { jobId } = await pluginConfigs.queueJob(flaky, { job: { type: 'replay', payload: { from, to } } });
  await expect
    .poll(async () => (await pluginConfigs.job(flaky, jobId)).message)
    .toMatch(new RegExp(`^[1-9]\\d* of ${failed.length} events$`));
  const wait = [{ wait: 50 }, { timeoutMs: 60_000 }] as const;
  expect(await pluginConfigs.job(flaky, jobId, ...wait)).toMatchObject({
    state: 'succeeded',
    output: { sent: failed.length },
  });
  const { id: check } = await pluginConfigs.check({ plugin: 9002, config: { endpoint: 'nowhere' } });
  expect(await pluginConfigs.checkResult(check, ...wait)).toMatchObject({
    ok: false,
    errors: [{ attr: 'endpoint' }],
  });
  await expect
    .poll(async () => (await incidents({ open: true }).page()).results, { timeout: 100_000 })
    .toMatchObject([{ signal: 'runtime', record_id: failing?.id }]);
  expect(sample.output()).toMatch(
    /The sample is project .*\n\nThe plugin configuration service is ready\.\n/,
  );
  expect(sample.output()).not.toContain('"level":"info"');
}, 180_000);
