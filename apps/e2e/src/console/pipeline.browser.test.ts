import { expect, test } from 'vitest';
import { sharedBrowser, expectAccessible, holdRequests, openSignedIn } from '../testing/console-page.ts';
import { registerPlugin } from '../testing/register-plugin.ts';
import { fillFamily } from '../testing/fill-family.ts';
import { sharedService } from '../testing/shared-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const service = sharedService();
const browser = sharedBrowser();

const pathOf = ({ projectId }: Tenant, query = ''): string => `/projects/${projectId}/plugin_configs${query}`;
const open = async (tenant: Tenant, query = '') => openSignedIn(browser(), tenant, pathOf(tenant, query));

/** Creates an enabled record named GeoIP, and an unnamed record of another plugin with an error. */
async function twoRecords(tenant: Tenant): Promise<readonly [number, number]> {
  const geo = await tenant.pluginConfigs.create({ plugin: 7, name: 'GeoIP', enabled: true });
  const { id } = await tenant.pluginConfigs.create({ plugin: 8, description: 'To the shop' });
  const error = 'The host example.com does not respond. '.repeat(10);
  await service().rows(`update config_record set error = $2, delivery_rate = 0.9873 where id = $1`, [
    id,
    error,
  ]);
  await service().rows(
    `insert into error_report (record_id, timestamp, taken_in_at, position, error) values ($1, now() - interval '3 hours', now(), 1, $2)`,
    [id, error],
  );
  return [geo.id, id];
}

test('without records, the pipeline says how to attach the first one', async () => {
  const tenant = await service().tenant();
  const { page } = await open(tenant);
  await page.getByRole('heading', { name: 'No plugins attached yet' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Attach your first plugin' }).click();
  await page.getByRole('heading', { name: 'Attach a plugin' }).waitFor();
});

test('a record is shown with its key facts and links to its page', async () => {
  const tenant = await service().tenant();
  const [first, second] = await twoRecords(tenant);
  const { page } = await open(tenant);
  const row = page.getByRole('row').filter({ hasText: `Record ${second}` });
  await row.waitFor();
  await expect
    .poll(() => row.getByRole('cell').allInnerTexts())
    .toEqual(
      expect.arrayContaining([
        '2',
        'Plugin 8',
        '98.7%',
        expect.stringMatching(/^The host example\.com.*\s3 hours ago$/s),
      ]),
    );
  await tenant.push([{ kind: 'error', plugin_config_id: first, error: 'The disk is full.' }]);
  const other = page.getByRole('row').filter({ hasText: 'The disk is full.' });
  await expect.poll(async () => other.locator('time').innerText()).toMatch(/now|seconds? ago/);
  await expectAccessible(page);
  await row.getByRole('link').click();
  await page.getByRole('heading', { name: `Record ${second}` }).waitFor();
});

test(
  'a row shows the deliveries of the last 24 hours, unless the page is narrow',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const ids = await fillFamily(service(), tenant, { records: 300 });
    const reports = [
      { plugin_config_id: ids[0], successes: 1200, successes_on_retry: 4, failures: 3 },
      { plugin_config_id: ids[250], successes: 8, successes_on_retry: 0, failures: 0 },
    ];
    const timestamp = new Date().toISOString();
    const { body } = await tenant.push(
      reports.map((report) => ({ kind: 'delivery', id: crypto.randomUUID(), timestamp, ...report })),
    );
    expect(body.stored).toBe(2);
    const { page } = await open(tenant);
    const deliveries = page.getByRole('img', { name: '1,204 delivered, 3 failed in 24 hours' });
    await deliveries.waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 900, height: 800 });
    await deliveries.waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate(`document.querySelector('.record-rows').scrollTop = 10_900`);
    await page.getByRole('img', { name: '8 delivered, 0 failed in 24 hours' }).waitFor();
  },
);

test('changes by other clients appear live without moving the focus or scroll position', async () => {
  const tenant = await service().tenant();
  await fillFamily(service(), tenant, { records: 300 });
  const { page } = await open(tenant);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('table').getByRole('link').first().waitFor();
  await page.evaluate(`document.querySelector('.record-rows').scrollTop = 4700`);
  const rowAt = (position: number) =>
    page.getByRole('row').filter({ has: page.getByRole('cell', { name: String(position), exact: true }) });
  await rowAt(110).getByRole('link').focus();
  const scrolled = await page.evaluate<number>(`document.querySelector('.record-rows').scrollTop`);
  const { results } = await tenant.pluginConfigs.list({ plugin: 111 }).page();
  await tenant.pluginConfigs.update(results[0]?.id ?? 0, { name: 'Changed elsewhere' });
  await page.getByText('Changed elsewhere').waitFor();
  await tenant.pluginConfigs.rearrange({ plugin: 110, order: 112 });
  await rowAt(112).getByText('Plugin 110').waitFor();
  const focused = await page.evaluate<string>(`document.activeElement.closest('[role=row]').innerText`);
  expect(focused).toContain('Plugin 110');
  expect(await page.evaluate(`document.querySelector('.record-rows').scrollTop`)).toBe(scrolled);
});

test('filters are part of the address, so it can be shared', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  await twoRecords(tenant);
  const { page } = await open(tenant);
  await page.getByLabel('State').selectOption('Enabled');
  await page.getByLabel('Search').fill('geo');
  const search = '?enabled=true&search=geo';
  await expect.poll(() => new URL(page.url()).search).toBe(search);
  const { page: colleague } = await open(tenant, search);
  await colleague.getByRole('link', { name: 'GeoIP' }).waitFor();
  expect(await colleague.getByRole('table').getAttribute('aria-rowcount')).toBe('2');
  await colleague.getByLabel('With errors').click();
  await colleague.getByRole('heading', { name: 'No matching records' }).waitFor();
  await colleague.goBack();
  await colleague.getByRole('link', { name: 'GeoIP' }).waitFor();
});

test(
  'records that a registration makes invalid are marked live, and until they are corrected',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const plugin = { id: 60_001, name: 'Weather' };
    await registerPlugin(service(), { ...plugin, config_schema: [{ key: 'city', type: 'string' }] });
    const { id } = await tenant.pluginConfigs.create({ plugin: plugin.id, name: 'Forecast', enabled: true });
    await tenant.pluginConfigs.create({ plugin: 7, name: 'GeoIP', enabled: true });
    const { page } = await open(tenant);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Forecast' }).waitFor();
    const field = { key: 'city', type: 'string', required: true } as const;
    await registerPlugin(service(), { ...plugin, config_schema: [field] });
    await page.getByRole('row').filter({ hasText: 'Forecast' }).getByText('Invalid').waitFor();
    await page.getByLabel('Invalid').click();
    await expect.poll(() => new URL(page.url()).search).toBe('?valid=false');
    await page.getByRole('link', { name: 'GeoIP' }).waitFor({ state: 'detached' });
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Overview' }).first().click();
    await page.getByRole('link', { name: '1 plugin has an invalid configuration' }).click();
    await page.getByRole('link', { name: 'Forecast' }).click();
    await page.getByText('rejects this configuration').waitFor();
    await expectAccessible(page);
    await tenant.pluginConfigs.setConfiguration(id, { city: 'Ulm' });
    await page.getByText('rejects this configuration').waitFor({ state: 'detached' });
  },
);

test('if it is unknown which records are invalid, the list says so', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  await tenant.pluginConfigs.create({ plugin: 7, name: 'GeoIP', enabled: true });
  const { page } = await openSignedIn(browser(), tenant);
  await page.route(/valid=false/, (route) => route.fulfill({ status: 403 }));
  await page.goto(`${tenant.api}/console${pathOf(tenant)}`);
  const error = page.getByRole('main').getByRole('alert').getByText('Try again');
  await error.waitFor();
  await page.unroute(/valid=false/);
  await error.click();
  await error.waitFor({ state: 'detached' });
});

test('a record is enabled, and the change is undone', async () => {
  const tenant = await service().tenant();
  const [, id] = await twoRecords(tenant);
  const { page } = await open(tenant);
  const isEnabled = async () => (await tenant.pluginConfigs.retrieve(id)).enabled;
  await page.getByRole('switch', { name: `Record ${id}` }).click();
  await page.getByText(`Record ${id} was enabled.`).waitFor();
  expect(await isEnabled()).toBe(true);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText(`Record ${id} was disabled.`).waitFor();
  expect(await isEnabled()).toBe(false);
});

test(
  'the selected records are enabled together, and one undo takes it back',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const [first, second] = await twoRecords(tenant);
    const { id: third } = await tenant.pluginConfigs.create({ plugin: 9 });
    const { page } = await open(tenant);
    const enabled = async () =>
      Promise.all(
        [first, second, third].map(async (id) => (await tenant.pluginConfigs.retrieve(id)).enabled),
      );
    await page.getByRole('checkbox', { name: 'Select GeoIP' }).check();
    await page.getByText('1 selected').waitFor();
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByText('3 selected').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByText('2 records were enabled.').waitFor();
    expect(await enabled()).toEqual([true, true, true]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 records were disabled.').waitFor();
    expect(await enabled()).toEqual([true, false, false]);
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await page.getByText('3 selected').waitFor({ state: 'detached' });
  },
);

test(
  'the menu of a row deletes its record, with undo, and links to its screens',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const [id] = await twoRecords(tenant);
    const { page } = await open(tenant);
    const actions = page.getByRole('button', { name: 'Actions for GeoIP' });
    await actions.click();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('GeoIP was deleted.').waitFor();
    await page.getByRole('link', { name: 'GeoIP' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'GeoIP' }).waitFor();
    expect(await tenant.pluginConfigs.retrieve(id)).toMatchObject({ deleted: false, enabled: true });
    await actions.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('No log entries yet').waitFor();
  },
);

test(
  'an undo notice stays while it has the focus, and disappears afterwards',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const [, id] = await twoRecords(tenant);
    const { page } = await open(tenant);
    await page.clock.install();
    const control = page.getByRole('switch', { name: `Record ${id}` });
    await control.click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.focus();
    await page.clock.fastForward('00:25');
    expect(await undo.count()).toBe(1);
    await control.focus();
    await page.clock.fastForward('00:10');
    await undo.waitFor({ state: 'detached' });
  },
);

test('the last of two quick clicks on a switch wins', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  const [, id] = await twoRecords(tenant);
  const { page } = await open(tenant);
  const goOn = await holdRequests(page, `**/plugin_configs/${id}`);
  const control = page.getByRole('switch', { name: `Record ${id}` });
  await control.click();
  await control.and(page.getByRole('switch', { checked: true })).waitFor();
  await control.click();
  goOn();
  await page.getByText(`Record ${id} was disabled.`).waitFor();
  expect((await tenant.pluginConfigs.retrieve(id)).enabled).toBe(false);
});

test('a failed change is reported even if another page is shown', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  const [, id] = await twoRecords(tenant);
  const { page } = await open(tenant);
  const fail = await holdRequests(page, `**/plugin_configs/${id}`, async (route) =>
    route.fulfill({ status: 500 }),
  );
  await page.getByRole('switch', { name: `Record ${id}` }).click();
  await page.getByRole('link', { name: 'Documents' }).click();
  await page.getByRole('heading', { name: 'Documents' }).waitFor();
  fail();
  await page.getByText(`Record ${id} could not be enabled.`).waitFor();
});

test(
  'a list that was opened during an outage goes live once the service is reachable',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const { page } = await openSignedIn(browser(), tenant, `/projects/${tenant.projectId}/documents`);
    let failed = 0;
    await page.route('**/plugin_configs/stream*', async (route) => {
      failed += 1;
      await route.abort();
    });
    await page.getByRole('link', { name: 'Plugins' }).click();
    await page.getByText('Connection lost').waitFor();
    // More failures than the client retries.
    await expect.poll(() => failed).toBeGreaterThan(5);
    await page.unroute('**/plugin_configs/stream*');
    await page.getByText('Live', { exact: true }).waitFor();
    await tenant.pluginConfigs.create({ plugin: 7, name: 'GeoIP' });
    await page.getByRole('link', { name: 'GeoIP' }).waitFor();
  },
);

test('a hidden page closes its stream after a minute, and is live again when shown', async () => {
  const tenant = await service().tenant();
  await twoRecords(tenant);
  const { page } = await open(tenant);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.clock.install();
  const show = async (state: 'hidden' | 'visible'): Promise<void> =>
    page.evaluate(`(() => {
      Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    })()`);
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/stream'));
  await show('hidden');
  await page.clock.fastForward('01:01');
  await ended;
  await tenant.pluginConfigs.create({ plugin: 9, name: 'Webhook' });
  await show('visible');
  await page.getByRole('link', { name: 'Webhook', exact: true }).waitFor();
});

test('deleted records have their own view, where they can be restored', async () => {
  const tenant = await service().tenant();
  const [id] = await twoRecords(tenant);
  const { page } = await open(tenant, '?deleted=true');
  await page.getByRole('heading', { name: 'No deleted records' }).waitFor();
  await tenant.pluginConfigs.delete(id);
  await page.getByRole('link', { name: 'GeoIP' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Restore GeoIP' }).click();
  await page.getByText('GeoIP was restored at position 1. It is disabled.').waitFor();
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByText('GeoIP was enabled.').waitFor();
  await page.getByLabel('Show deleted').click();
  await page.getByRole('link', { name: 'GeoIP' }).waitFor();
  expect(await tenant.pluginConfigs.retrieve(id)).toMatchObject({ deleted: false, enabled: true });
});

test('a read-only key sees no controls that write', async () => {
  const tenant = await service().tenant(['plugin:read']);
  await fillFamily(service(), tenant, { records: 2 });
  const { page } = await open(tenant);
  await page.getByRole('table').getByRole('link').first().waitFor();
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  expect(await page.getByRole('switch').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Attach a plugin' }).count()).toBe(0);
  await expectAccessible(page);
});

test('a project of another key shows "Not allowed"', async () => {
  const [own, foreign] = [await service().tenant(), await service().tenant()];
  const { page } = await openSignedIn(browser(), own, pathOf(foreign));
  await page.getByRole('heading', { name: 'Not allowed' }).waitFor();
  await expectAccessible(page);
});

test(
  'returning from a record restores the scroll position of the list, and focuses its link',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    await fillFamily(service(), tenant, { records: 1000 });
    const { page } = await open(tenant);
    const table = page.getByRole('table');
    await table.getByRole('link').first().waitFor();
    await page.evaluate(`document.querySelector('.record-rows').scrollTop = 20_000`);
    const link = table.getByRole('row').filter({ hasText: 'Plugin 460' }).getByRole('link');
    await link.waitFor();
    const scrolled = async () => page.evaluate(`document.querySelector('.record-rows')?.scrollTop`);
    const before = await scrolled();
    // A mouse click would scroll first.
    await link.dispatchEvent('click');
    await page.getByRole('heading', { name: 'Record' }).first().waitFor();
    await page.goBack();
    await expect.poll(scrolled).toBe(before);
    await link.and(page.locator(':focus')).waitFor();
  },
);
