import { pluginConfigClient, type NewJob } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { sharedBrowser, expectAccessible, openRecord, openSignedIn } from '../testing/console-page.ts';
import { sharedService } from '../testing/shared-service.ts';

const service = sharedService();
const browser = sharedBrowser();

test('jobs are queued and followed until they finish', async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  const { page } = await openRecord(browser(), tenant, id, '/jobs');
  await page.getByText('No jobs yet').waitFor();
  await tenant.pluginConfigs.queueJob(id, { name: 'Renamed' });
  await page.locator('.jobs').getByText('Succeeded').waitFor();
  await page.getByRole('heading', { name: 'Renamed' }).waitFor();

  await page.getByText('Queue a job').click();
  await expectAccessible(page);
  await page.getByLabel('Task type').fill('nobody-knows');
  await page.getByLabel('Payload').fill('{');
  await page.getByRole('button', { name: 'Queue', exact: true }).click();
  await page.getByText('Invalid payload').waitFor();
  await page.getByLabel('Payload').fill('{}');
  await page.getByRole('button', { name: 'Queue', exact: true }).click();
  await page.locator('.jobs').getByText('nobody-knows').waitFor();
  await expectAccessible(page);
  await page.getByLabel('State').selectOption('succeeded');
  await page.locator('.jobs').getByText('nobody-knows').waitFor({ state: 'detached' });
  await expect.poll(() => new URL(page.url()).search).toBe('?state=succeeded');
});

test(
  'input typed while a job is being queued stays, and a retry queues one job',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const id = await tenant.attach();
    const { page } = await openRecord(browser(), tenant, id, '/jobs');
    let isFirst = true;
    const { promise: isTyped, resolve: type } = Promise.withResolvers<void>();
    await page.route('**/job', async (route) => {
      if (isFirst) {
        isFirst = false;
        // The first request succeeds, but its response is lost.
        const idempotencyKey = (await route.request().headerValue('idempotency-key')) ?? '';
        await tenant.pluginConfigs.queueJob(id, route.request().postDataJSON() as NewJob, { idempotencyKey });
        await route.fulfill({ status: 500 });
      } else {
        await isTyped;
        await route.continue();
      }
    });
    await page.getByText('Queue a job').click();
    const queue = page.getByRole('button', { name: 'Queue', exact: true });
    await page.getByLabel('Task type').fill('first');
    await queue.click();
    await page.getByRole('alert').waitFor();
    await queue.click();
    await page.getByText('Queuing…').waitFor();
    await page.getByLabel('Task type').fill('next');
    type();
    await page.getByText('The job was queued.').waitFor();
    expect(await page.getByLabel('Task type').inputValue()).toBe('next');
    expect((await tenant.pluginConfigs.jobs(id).page()).count).toBe(1);
  },
);

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
    // The page keeps showing the jobs as they were before the worker is back.
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
  expect(await page.getByText('Queue a job').count()).toBe(0);
});
