import { expect, test } from 'vitest';
import { configuredRecord } from '../testing/configured-record.ts';
import { sharedBrowser, expectAccessible, openRecord } from '../testing/console-page.ts';
import { playRuntime } from '../testing/play-runtime.ts';
import { sharedService } from '../testing/shared-service.ts';

const service = sharedService();
const browser = sharedBrowser();

test('deliveries are shown as a chart and as a table', async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  const { page } = await openRecord(browser(), tenant, id, '/deliveries');
  await page.getByRole('heading', { name: 'No deliveries in the last 24 hours' }).waitFor();
  await expectAccessible(page);

  const report = { kind: 'delivery', plugin_config_id: id, successes_on_retry: 20, failures: 3 };
  const { body } = await tenant.push([
    { ...report, id: crypto.randomUUID(), timestamp: new Date().toISOString(), successes: 1000 },
  ]);
  expect(body.stored).toBe(1);
  await page.getByRole('link', { name: '30 days' }).click();
  const sums = page.locator('.sums');
  await sums.waitFor();
  expect((await sums.innerText()).match(/[\d,]+/g)).toEqual(['1,000', '20', '3']);
  expect((await page.locator('.deliveries-chart').innerText()).match(/[A-Z][a-z]{2} \d+/g)).toHaveLength(4);
  await page.getByText('Show as table').click();
  const rows = page.getByRole('row');
  expect(await rows.count()).toBe(1 + 30);
  expect(await rows.nth(1).innerText()).toMatch(/\(in progress\)\s+1,000\s+20\s+3/);
  expect(await rows.nth(2).innerText()).toContain('no data');
  await page.goBack();
  await page.getByRole('link', { name: '24 hours', exact: true, includeHidden: false }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('');
  await page.goForward();
  await expectAccessible(page);
});

test('failed deliveries are replayed by a job for the shown time', { tags: ['long'] }, async () => {
  const time = { type: 'string', format: 'date-time' };
  const payload_schema = { type: 'object', properties: { from: time, to: time } };
  const plugin = { id: 84, name: 'Sender', jobs: [{ type: 'replay', payload_schema }] };
  const { tenant, id } = await configuredRecord(service(), plugin, {});
  const failed = { kind: 'delivery', plugin_config_id: id, successes: 1, successes_on_retry: 0, failures: 3 };
  await tenant.push([{ ...failed, id: crypto.randomUUID(), timestamp: new Date().toISOString() }]);
  const { page } = await openRecord(browser(), tenant, id, '/deliveries');
  await page.getByText('Show as table').click();
  await page.getByRole('row').getByRole('link', { name: 'Replay' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Replay the last 24 hours' }).click();
  await page.getByLabel('from').waitFor();
  const { searchParams } = new URL(page.url());
  const [from, to] = [searchParams.get('from') ?? '', searchParams.get('to') ?? ''];
  expect(Date.parse(to) - Date.parse(from)).toBe(24 * 3_600_000);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('replay is queued.').waitFor();
  const runtime = await playRuntime(service(), tenant, plugin.id);
  expect((await runtime.claim()).payload).toEqual({ from, to });
});
