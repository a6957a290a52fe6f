import { expect, test } from 'vitest';
import { administrator } from '../testing/administrator.ts';
import { expectAccessible, openSignedIn, sharedBrowser } from '../testing/console-page.ts';
import { registerPlugin } from '../testing/register-plugin.ts';
import { sharedService } from '../testing/shared-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const service = sharedService();
const browser = sharedBrowser();

const REQUESTS_MAX = 6;

test('incidents, errors, runtimes and records of all projects are listed by plugin, in few requests', async () => {
  const config_schema = [{ key: 'city', type: 'string' }] as const;
  await registerPlugin(service(), { id: 70, name: 'GeoIP', config_schema });
  await registerPlugin(service(), { id: 71, name: 'Mailer', config_schema: [] });
  const acme = await failingTenant('Acme', 70);
  const shop = await failingTenant('Shop', 70);
  await failingTenant('Post', 71);
  const required = [{ key: 'country', type: 'string', required: true }] as const;
  await registerPlugin(service(), { id: 70, name: 'GeoIP', config_schema: required });
  await shop.tenant.pluginConfigs.setConfiguration(shop.id, { country: 'DE' });
  await shop.tenant.pluginConfigs.create({ plugin: 70, name: 'Spare of Shop' });

  const token = await service().issueKey(['*']);
  const { page } = await openSignedIn(browser(), { api: acme.tenant.api, token });
  let requests: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') && !pathname.startsWith('/api/session')) requests.push(pathname);
  });
  const main = page.getByRole('main');
  const itemOf = (name: string) => main.getByRole('listitem').filter({ hasText: name });
  await page.getByRole('link', { name: 'All projects' }).click();
  await page.getByRole('combobox', { name: 'Plugin' }).selectOption('GeoIP');
  for (const tab of ['Incidents', 'Errors', 'Runtimes', 'Records']) {
    requests = [];
    await main.getByRole('link', { name: tab, exact: true }).click();
    await itemOf('Acme').first().waitFor();
    await itemOf('all-shop').first().waitFor();
    expect(await itemOf('Post').count()).toBe(0);
    await expectAccessible(page);
    expect(requests.length, `${tab}: ${requests.join(' ')}`).toBeLessThanOrEqual(REQUESTS_MAX);
  }
  await itemOf('GeoIP of Acme').getByText('Invalid').waitFor();
  await itemOf('Spare of Shop').getByText('Disabled').waitFor();
  await page.getByRole('checkbox', { name: 'Invalid' }).check();
  await itemOf('GeoIP of Shop').waitFor({ state: 'detached' });
  await itemOf('GeoIP of Acme').waitFor();
  await page.goBack();
  await itemOf('GeoIP of Shop').waitFor();
  await main.getByRole('link', { name: 'Errors' }).click();
  await itemOf('Acme').getByText('No database').waitFor();
  await itemOf('Acme').getByRole('link', { name: 'GeoIP of Acme' }).click();
  await page.getByRole('heading', { name: 'GeoIP of Acme' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(
    `/console/projects/${acme.tenant.projectId}/plugin_configs/${acme.id}`,
  );
  const bound = await openSignedIn(browser(), acme.tenant, '/all/errors');
  await bound.page.getByRole('heading', { name: 'You may not open this page' }).waitFor();
  expect(await bound.page.getByRole('link', { name: 'All projects' }).count()).toBe(0);
  await expectAccessible(bound.page);
});

test('a webhook of all projects is created for a plugin, and deleted', async () => {
  await registerPlugin(service(), { id: 70, name: 'GeoIP', config_schema: [] });
  const { api } = await service().tenant();
  const token = await service().issueKey(['*']);
  const { page } = await openSignedIn(browser(), { api, token }, '/all/webhooks');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Create a webhook' }).click();
  await dialog.getByLabel('URL').fill('https://receiver.invalid/all');
  await dialog.getByRole('combobox', { name: 'Plugin' }).selectOption('GeoIP');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('plugin 70').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'https://receiver.invalid/all' }).click();
  await page.getByRole('heading', { name: 'receiver.invalid' }).waitFor();
  const { webhooks } = await administrator(service());
  const [stored] = (await webhooks.list().page()).results;
  expect(stored).toMatchObject({ plugin: 70, url: 'https://receiver.invalid/all' });
  expect(new URL(page.url()).pathname).toBe(`/console/all/webhooks/${stored?.id}`);
  page.on('dialog', (question) => void question.accept());
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No webhooks yet').waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/all/webhooks');
});

test('an alert on all projects is created for a plugin, linked by its incident, changed and deleted', async () => {
  await registerPlugin(service(), { id: 70, name: 'GeoIP', config_schema: [] });
  const tenant = await service().tenant();
  const { id } = await tenant.pluginConfigs.create({ plugin: 70, name: 'GeoIP of all', enabled: true });
  const token = await service().issueKey(['*']);
  const { page } = await openSignedIn(browser(), { api: tenant.api, token }, '/all/alerts');
  const main = page.getByRole('main');
  const path = () => new URL(page.url()).pathname;
  await page.getByRole('link', { name: 'Create an alert' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('GeoIP fails everywhere');
  expect(await page.getByRole('combobox', { name: 'Record' }).count()).toBe(0);
  await page.getByRole('combobox', { name: 'Plugin' }).selectOption('GeoIP');
  await page.getByRole('combobox', { name: 'Signal' }).selectOption('error');
  // An enabled one would open incidents of other tests.
  await page.getByRole('checkbox', { name: 'Enabled' }).uncheck();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create' }).click();
  await main.getByText('Each plugin · plugin 70').waitFor();
  const { alerts } = await administrator(service());
  const [alert] = (await alerts.list().page()).results;
  expect(alert).toMatchObject({ plugin: 70, signal: 'error' });

  await service().rows(
    `insert into incident (project_id, alert_project_id, family, alert_id, alert_name, signal, opened_at, record_id, plugin)
  values ($1, 0, 'plugin_configs', $2, 'GeoIP fails everywhere', 'error', now(), $3, 70)`,
    [tenant.projectId, alert?.id, id],
  );
  await page.reload();
  await main.getByText('1 open incident').waitFor();
  await expectAccessible(page);
  const ofProject = `/console/projects/${tenant.projectId}/incidents`;
  for (const list of ['/console/all/incidents', ofProject]) {
    await page.goto(`${tenant.api}${list}`);
    await main.getByRole('link', { name: 'GeoIP fails everywhere' }).click();
    await page.getByRole('heading', { name: 'GeoIP fails everywhere' }).waitFor();
    expect(path()).toBe(`/console/all/alerts/${alert?.id}`);
  }
  await main.getByRole('link', { name: 'GeoIP of all' }).waitFor();
  await expectAccessible(page);
  const bound = await openSignedIn(browser(), tenant, `/projects/${tenant.projectId}/incidents`);
  await bound.page.getByText('GeoIP fails everywhere').waitFor();
  expect(await bound.page.getByRole('link', { name: 'GeoIP fails everywhere' }).count()).toBe(0);

  await page.getByRole('spinbutton', { name: 'Window (minutes)' }).fill('60');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect.poll(async () => (await alerts.list().page()).results[0]?.window_minutes).toBe(60);
  page.on('dialog', (question) => void question.accept());
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No alerts yet').waitFor();
  expect(path()).toBe('/console/all/alerts');
});

/** Creates a project with a record that has an error, an incident and a runtime. */
async function failingTenant(
  name: string,
  plugin: number,
): Promise<{ readonly tenant: Tenant; readonly id: number }> {
  const tenant = await service().tenant();
  const { projectId, pluginConfigs, alerts } = tenant;
  const { project } = await administrator(service());
  await project(projectId).update({ name, external_id: `all-${name.toLowerCase()}` });
  const { id } = await pluginConfigs.create({ plugin, name: `GeoIP of ${name}`, enabled: true });
  await tenant.push([{ kind: 'error', plugin_config_id: id, error: 'No database' }]);
  await pluginConfigs.reportRuntime(`${name}-1`, {
    version: 'older',
    status: 'failed',
    failed: [{ id, error: 'No database' }],
  });
  const alert = await alerts.create({
    name: 'It fails',
    family: 'plugin_configs',
    signal: 'error',
    window_minutes: 5,
    enabled: false,
  });
  await service().rows(
    `insert into incident (project_id, alert_project_id, family, alert_id, alert_name, signal, opened_at, record_id, plugin)
  values ($1, $1, 'plugin_configs', $2, 'It fails', 'error', now(), $3, $4)`,
    [projectId, alert.id, id, plugin],
  );
  return { tenant, id };
}
