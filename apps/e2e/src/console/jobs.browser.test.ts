import { expect, test } from 'vitest';
import { sharedBrowser, expectAccessible, openRecord } from '../testing/console-page.ts';
import { configuredRecord } from '../testing/configured-record.ts';
import { playRuntime } from '../testing/play-runtime.ts';
import { sharedService } from '../testing/shared-service.ts';

const service = sharedService();
const browser = sharedBrowser();

const SENDER = {
  id: 83,
  name: 'Sender',
  jobs: [
    {
      type: 'replay',
      name: 'Send again',
      description: 'Sends what has failed.',
      payload_schema: {
        type: 'object',
        required: ['from'],
        properties: {
          from: { type: 'string', format: 'date-time', title: 'From' },
          count: { type: 'integer', minimum: 1, title: 'Events' },
          region: { enum: ['eu', 'us'], title: 'Region' },
          dry: { type: 'boolean', title: 'Dry run' },
        },
      },
    },
    { type: 'export' },
  ],
};

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

test('a job is run by a runtime: entered in a form, followed, and its output read', async () => {
  const { tenant, id } = await configuredRecord(service(), SENDER, {});
  const runtime = await playRuntime(service(), tenant, SENDER.id);
  const { page } = await openRecord(browser(), tenant, id, '/jobs');
  const open = page.getByRole('button', { name: 'Run a job' });
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await open.press('Enter');
  await page.getByText('Sends what has failed.').waitFor();
  await run.click();
  await page.getByText('This field is required.').waitFor();
  await page.getByLabel('From').fill('2026-03-01T09:30');
  await page.getByLabel('Events').fill('0');
  await page.getByLabel('Region').selectOption('eu');
  await page.getByLabel('Dry run').selectOption('true');
  await run.click();
  expect(await page.locator('[data-invalid]').innerText()).toMatch(/Events[^]*This must be >= 1\./);
  await expectAccessible(page);
  await page.getByLabel('Events').fill('5');
  await page.getByLabel('Events').press('Enter');
  await page.getByText('Send again is queued.').waitFor();
  expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Run a job');

  const { id: job, type, payload } = await runtime.claim();
  const from = new Date(await page.evaluate<number>('new Date("2026-03-01T09:30").getTime()')).toISOString();
  expect([type, payload]).toEqual(['replay', { from, count: 5, region: 'eu', dry: true }]);
  await runtime.renew(job, { progress: 0.4, message: 'Two of five' });
  const row = page.locator('.jobs li').first();
  await row.getByText('Two of five').waitFor();
  expect(await row.getByRole('progressbar', { name: 'Progress of Send again' }).getAttribute('value')).toBe(
    '0.4',
  );
  expect(await row.innerText()).toMatch(/Send again\s+Running[^]*by shop-eu-1/);
  await expectAccessible(page);
  await runtime.end(job, { output: { sent: 5 } });
  await row.getByText('Succeeded').waitFor();
  await row.getByText('Output').click();
  await row.getByText('"sent": 5').waitFor();
  await tenant.pluginConfigs.queueJob(id, { name: 'Renamed' });
  await page.locator('.jobs li').filter({ hasText: 'Change' }).getByText('Succeeded').waitFor();
});

test('a payload without a schema is JSON, and a running job is asked to stop', async () => {
  const { tenant, id } = await configuredRecord(service(), SENDER, {});
  const runtime = await playRuntime(service(), tenant, SENDER.id);
  const { page } = await openRecord(browser(), tenant, id, '/jobs?run=replay');
  await page.getByLabel('Type').selectOption('export');
  await page.getByLabel('Payload (JSON)').fill(`"${'x'.repeat(70_000)}"`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('[data-invalid]').getByText('no more than 65536 bytes').waitFor();
  await page.getByLabel('Payload (JSON)').fill('[1, {"a": 2}]');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const { id: job, payload } = await runtime.claim();
  expect(payload).toEqual([1, { a: 2 }]);
  const row = page.locator('.jobs li').first();
  await row.getByText('Running').waitFor();
  await row.getByRole('button', { name: 'Cancel' }).click();
  await row.getByText('Asked to stop.').waitFor();
  expect(await row.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
  expect(await runtime.renew(job, {})).toMatchObject({ cancelled: true });
  await runtime.end(job, { state: 'failed', error: 'Stopped after one.' });
  await row.getByText('Cancelled').waitFor();
  expect(await row.innerText()).toContain('Stopped after one.');
});

test(
  'a queued job can be cancelled, but not by a reader, or its outcome is shown if a worker got there first',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const id = await tenant.attach();
    await service().end('worker');
    await tenant.pluginConfigs.queueJob(id, { name: 'First' });
    const { jobId } = await tenant.pluginConfigs.queueJob(id, { name: 'Second' });
    const token = await service().issueKey(['plugin:read'], [tenant.projectId]);
    const { page: reader } = await openRecord(browser(), { ...tenant, token }, id, '/jobs');
    await reader.locator('.jobs li').nth(1).waitFor();
    expect(await reader.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
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
