import { expect, test } from 'vitest';
import {
  sharedBrowser,
  expectAccessible,
  holdRequests,
  openRecord,
  openSignedIn,
} from '../testing/console-page.ts';
import { registerPlugin } from '../testing/register-plugin.ts';
import { sharedService } from '../testing/shared-service.ts';

const service = sharedService();
const browser = sharedBrowser();

const PLUGIN = {
  id: 7,
  name: 'Country finder',
  url: 'https://example.com/geoip',
  description: 'Adds the country of the visitor.',
  config_schema: [],
};

test('the overview shows every field of a record, and edits it', async () => {
  await registerPlugin(service(), PLUGIN);
  const tenant = await service().tenant();
  const id = await tenant.attach();
  await tenant.pluginConfigs.update(id, { name: 'GeoIP', enabled: true });
  await tenant.push([
    {
      kind: 'error',
      timestamp: new Date(Date.now() - 120 * 60_000).toISOString(),
      plugin_config_id: id,
      error: 'The quota is used up.',
    },
    {
      kind: 'delivery',
      id: '5f0c1f52-6c4c-4d5a-9f43-0d8b2b6f7f10',
      timestamp: new Date().toISOString(),
      plugin_config_id: id,
      successes: 3,
      successes_on_retry: 0,
      failures: 1,
    },
  ]);
  const { page } = await openRecord(browser(), tenant, id);
  await page.getByText('The quota is used up.').waitFor();
  await page.getByText('75%').waitFor();
  await page.getByRole('region', { name: 'Errors' }).getByText('2 hours ago').waitFor();
  const changes = page.getByRole('region', { name: 'Latest changes' });
  await changes.getByText('created the record').waitFor();
  const facts = await page.getByRole('main').innerText();
  for (const text of ['Country finder', '(7)', 'Adds the country', 'Position', 'Created', 'Changed']) {
    expect(facts).toContain(text);
  }
  expect(facts).toMatch(new RegExp(`Record\\s+${id} `));
  expect(facts).toMatch(new RegExp(`Project\\s+${tenant.projectId}`));
  expect(await page.getByRole('link', { name: 'Country finder' }).getAttribute('href')).toBe(PLUGIN.url);
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('GeoIP');
  await expectAccessible(page);

  await page.getByRole('switch').click();
  await page.getByRole('switch', { checked: false }).waitFor();
  await page.getByLabel('Description', { exact: true }).fill('By country');
  await page.getByLabel('Name', { exact: true }).fill('Countries');
  await page.getByLabel('Name', { exact: true }).press('Enter');
  await page.getByRole('heading', { name: 'Countries' }).waitFor();
  await page.getByText('All changes saved').waitFor();
  expect(await tenant.pluginConfigs.retrieve(id)).toMatchObject({
    name: 'Countries',
    description: 'By country',
    enabled: false,
  });
});

test('while a change is being saved, no other change can be lost', async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  const { page } = await openRecord(browser(), tenant, id);
  const goOn = await holdRequests(page, `**/plugin_configs/${id}`);
  await page.getByLabel('Name', { exact: true }).fill('GeoIP');
  await page.getByRole('switch').click();
  const [save, remove] = ['Save', 'Delete'].map((name) => page.getByRole('button', { name, exact: true }));
  await expect.poll(async () => [await save?.isDisabled(), await remove?.isDisabled()]).toEqual([true, true]);
  goOn();
  await page.getByRole('switch', { checked: true }).waitFor();
  await save?.click();
  await page.getByText('All changes saved').waitFor();
  expect(await tenant.pluginConfigs.retrieve(id)).toMatchObject({ enabled: true, name: 'GeoIP' });
});

test('a deleted record can be restored by undo or later', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  await tenant.pluginConfigs.update(id, { name: 'GeoIP', enabled: true });
  const { page } = await openSignedIn(browser(), tenant, `/projects/${tenant.projectId}/plugin_configs`);
  await page.getByRole('link', { name: 'GeoIP' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('This record is deleted.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('switch', { checked: true }).waitFor();
  expect(await tenant.pluginConfigs.retrieve(id)).toMatchObject({ deleted: false, enabled: true });
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('This record is deleted.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('The record was restored. It is disabled.').waitFor();
  await page.getByRole('switch', { checked: false }).click();
  await page.getByRole('switch', { checked: true }).waitFor();
});

test('a read-only key sees the record and no controls', async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  await tenant.pluginConfigs.update(id, { name: 'GeoIP', description: 'By country' });
  const token = await service().issueKey(['plugin:read'], [tenant.projectId]);
  const { page } = await openRecord(browser(), { ...tenant, token }, id);
  await page.getByText('By country').waitFor();
  expect(await page.locator('#main').getByRole('textbox').count()).toBe(0);
  expect(await page.locator('#main').getByRole('button').count()).toBe(0);
  expect(await page.locator('#main').getByRole('switch').count()).toBe(0);
  await expectAccessible(page);
});
