import { pluginConfigClient } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { sharedBrowser, expectAccessible, openRecord, openSignedIn } from '../testing/console-page.ts';
import { sharedService } from '../testing/shared-service.ts';

const service = sharedService();
const browser = sharedBrowser();

test('jobs are followed until they finish', async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  const { page } = await openRecord(browser(), tenant, id, '/jobs');
  await page.getByText('No jobs yet').waitFor();
  await tenant.pluginConfigs.queueJob(id, { name: 'Renamed' });
  await page.locator('.jobs').getByText('Succeeded').waitFor();
  await page.getByRole('heading', { name: 'Renamed' }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('State').selectOption('failed');
  await page.getByText('No failed jobs').waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('?state=failed');
});

test(
  'a queued job can be cancelled, or its outcome is shown if a worker got there first',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const id = await tenant.attach();
    await service().end('worker');
    await tenant.pluginConfigs.queueJob(id, { name: 'First' });
    const { jobId } = await tenant.pluginConfigs.queueJob(id, { name: 'Second' });
    const { page } = await openRecord(browser(), tenant, id, '/jobs');
    const rows = page.locator('.jobs li');
    await rows.nth(1).getByRole('button', { name: 'Cancel' }).click();
    await rows.nth(1).getByText('Cancelled').waitFor();
    // Until the worker is back, the page keeps showing the jobs unchanged.
    let stale: string | undefined;
    await page.route(/\/jobs\?/, async (route) => {
      const response = await route.fetch();
      stale ??= await response.text();
      await route.fulfill({ response, body: stale });
    });
    await expect.poll(() => stale).toBeDefined();
    await service().restart('worker');
    await expect.poll(async () => (await tenant.pluginConfigs.job(id, jobId)).state).toBe('succeeded');
    await rows.nth(0).getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The job could not be cancelled').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await rows.nth(0).getByText('Succeeded').waitFor();
  },
);

test('a read-only key sees jobs and no controls', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  await tenant.pluginConfigs.queueJob(id);
  const { token } = await pluginConfigClient({ url: tenant.api, key: tenant.token }).keys.create({
    label: 'reader',
    scopes: ['plugin:read'],
    project_ids: [tenant.projectId],
  });
  const { page } = await openSignedIn(
    browser(),
    { api: tenant.api, token },
    `/projects/${tenant.projectId}/plugin_configs/${id}/jobs`,
  );
  await page.locator('.jobs').getByText('Succeeded').waitFor();
  expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
});
