import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser, expectAccessible, openSignedIn } from '../testing/console-page.ts';
import { playRuntime } from '../testing/play-runtime.ts';
import { registerPlugin } from '../testing/register-plugin.ts';
import { sharedService } from '../testing/shared-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const service = sharedService();
const browser = sharedBrowser();

async function openForm(tenant: Tenant): Promise<Page> {
  const path = `/projects/${tenant.projectId}/plugin_configs/attach`;
  const { page } = await openSignedIn(browser(), tenant, path);
  await page.getByRole('button', { name: 'Attach' }).waitFor();
  return page;
}

const recordsOf = async (tenant: Tenant) => Array.fromAsync(tenant.pluginConfigs.list());

test(
  'without registered plugins, one is attached by its number, and the page says how to register',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const page = await openForm(tenant);
    await page.getByText('No plugins are registered').waitFor();
    await page.getByText('npm run cli -- plugin register').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Plugin number').fill('12');
    await page.getByRole('button', { name: 'Attach' }).click();
    await page.getByText('was attached at position 1').waitFor();
    expect(await recordsOf(tenant)).toMatchObject([{ plugin: 12, name: null, enabled: false }]);
  },
);

test('a registered plugin is chosen by name, and the new record is shown', async () => {
  await registerPlugin(service(), { id: 8, name: 'Webhook', config_schema: [] });
  const tenant = await service().tenant();
  const page = await openForm(tenant);
  await page.getByRole('combobox', { name: 'Plugin' }).selectOption({ label: 'Webhook (8)' });
  await page.getByLabel('Name').fill('Orders');
  await page.getByLabel('Description').fill('To the shop');
  await page.getByLabel('Enable now').check();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Attach' }).dblclick();
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
  const records = await recordsOf(tenant);
  expect(records).toMatchObject([{ plugin: 8, name: 'Orders', description: 'To the shop', enabled: true }]);
  await expect
    .poll(() => new URL(page.url()).pathname)
    .toBe(`/console/projects/${tenant.projectId}/plugin_configs/${records[0]?.id}`);
});

test(
  'a configuration is checked by a runtime before the plugin is attached',
  { tags: ['long'] },
  async () => {
    const config_schema = [{ key: 'endpoint', name: 'Endpoint', type: 'string', required: true }] as const;
    await registerPlugin(service(), { id: 84, name: 'Checked', checks: true, config_schema });
    const tenant = await service().tenant();
    const runtime = await playRuntime(service(), tenant, 84);
    const page = await openForm(tenant);
    const check = page.getByRole('button', { name: 'Check', exact: true });
    await page.getByRole('combobox', { name: 'Plugin' }).selectOption({ label: 'Checked (84)' });
    await check.click();
    await page.getByText('This field is required.').waitFor();
    await page.getByLabel('Endpoint').fill('https://a.example.com');
    await check.click();
    const { id, config } = await runtime.claim();
    expect(config).toEqual({ endpoint: 'https://a.example.com' });
    await runtime.end(id, { output: { ok: false, errors: [{ attr: 'endpoint', detail: 'It is down.' }] } });
    await page.getByText('This configuration does not work.').waitFor();
    expect(await page.locator('[data-invalid]').innerText()).toContain('It is down.');
    await expectAccessible(page);
    expect(await recordsOf(tenant)).toEqual([]);
  },
);

test(
  'a plugin is configured and enabled while it is attached, once its required fields are filled in',
  { tags: ['long'] },
  async () => {
    const config_schema = [
      { key: 'endpoint', name: 'Endpoint', type: 'string', required: true },
      { key: 'token', type: 'string', secret: true },
    ] as const;
    await registerPlugin(service(), { id: 8, name: 'Webhook', config_schema });
    const tenant = await service().tenant();
    const page = await openForm(tenant);
    const attach = page.getByRole('button', { name: 'Attach' });
    const endpoint = page.getByLabel('Endpoint');
    await page.getByRole('combobox', { name: 'Plugin' }).selectOption('8');
    await page.getByLabel('Enable now').check();
    await attach.click();
    await page.locator('.field').filter({ has: endpoint }).getByText('This field is required.').waitFor();
    await endpoint.and(page.locator(':focus')).waitFor();
    await expectAccessible(page);
    expect(await recordsOf(tenant)).toEqual([]);
    await endpoint.fill('https://example.com');
    await page.getByRole('button', { name: 'Set token' }).click();
    await page.getByRole('textbox', { name: 'token' }).fill('hunter2');
    let isRejected = false;
    await page.route('**/plugin_configs', async (route) => {
      if (isRejected || route.request().method() !== 'POST') return route.continue();
      isRejected = true;
      const error = { code: 'invalid_input', detail: 'Not reachable.', attr: 'endpoint' };
      return route.fulfill({ status: 400, json: { type: 'validation_error', ...error, errors: [error] } });
    });
    await attach.click();
    await page.locator('.field').filter({ has: endpoint }).getByText('Not reachable.').waitFor();
    expect(await recordsOf(tenant)).toEqual([]);
    await attach.click();
    await page.getByText('was attached at position 1').waitFor();
    const records = await recordsOf(tenant);
    expect(records).toMatchObject([{ plugin: 8, enabled: true }]);
    expect(JSON.parse(records[0]?.config ?? '')).toEqual({
      endpoint: 'https://example.com',
      token: '********',
    });
  },
);

test(
  'a rejected form keeps its input, shows the reason, and can be corrected',
  { tags: ['long'] },
  async () => {
    await registerPlugin(service(), { id: 8, name: 'Webhook', config_schema: [] });
    const tenant = await service().tenant();
    const page = await openForm(tenant);
    await chooseNumber(page, 9_999_999_999);
    await page.getByLabel('Name').fill('Too far');
    await page.getByRole('button', { name: 'Attach' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Too far');
    expect(await recordsOf(tenant)).toEqual([]);
    await page.getByLabel('Plugin number').fill('9');
    await page.getByRole('button', { name: 'Attach' }).click();
    await page.getByRole('heading', { name: 'Too far' }).waitFor();
  },
);

test(
  'if responses are lost, one record is created, and the form says what to do',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const page = await openForm(tenant);
    let isLosing = true;
    await page.route('**/plugin_configs', async (route) => {
      if (!isLosing) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await chooseNumber(page, 15);
    await page.getByLabel('Name').fill('Once');
    await page.getByRole('button', { name: 'Attach' }).click();
    await page.getByText('may or may not have been attached').waitFor();
    expect(await page.getByLabel('Name').isDisabled()).toBe(true);
    await expectAccessible(page);
    isLosing = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Once' }).waitFor();
    expect(await recordsOf(tenant)).toMatchObject([{ plugin: 15, name: 'Once' }]);
  },
);

test('leaving a filled-in form asks for confirmation', { tags: ['long'] }, async () => {
  const page = await openForm(await service().tenant());
  await page.getByLabel('Name').fill('Half done');
  const dialogShown = page.waitForEvent('dialog');
  const leaving = page.getByRole('link', { name: 'Cancel' }).click();
  const dialog = await dialogShown;
  expect(dialog.message()).toContain('unsaved changes');
  await dialog.dismiss();
  await leaving;
  expect(await page.getByLabel('Name').inputValue()).toBe('Half done');
  page.once('dialog', (again) => void again.accept());
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('heading', { name: 'Plugins', exact: true }).waitFor();
});

test('a read-only key sees what attaching requires', async () => {
  const tenant = await service().tenant(['plugin:read']);
  const path = `/projects/${tenant.projectId}/plugin_configs/attach`;
  const { page } = await openSignedIn(browser(), tenant, path);
  await page.getByText('requires the plugin:write scope').waitFor();
  expect(await page.getByRole('main').getByRole('textbox').count()).toBe(0);
});

/** Chooses a plugin by its number, whether or not any plugin is registered. */
async function chooseNumber(page: Page, number: number): Promise<void> {
  const plugin = page.getByRole('combobox', { name: 'Plugin' });
  if ((await plugin.count()) > 0) await plugin.selectOption('other');
  await page.getByLabel('Plugin number').fill(String(number));
}
