import { expect, onTestFinished, test } from 'vitest';
import { sharedBrowser, expectAccessible, openSignedIn } from '../testing/console-page.ts';
import { sharedService } from '../testing/shared-service.ts';

const service = sharedService();
const browser = sharedBrowser();

test('on a narrow page the header is one row, and its menu opens by keyboard', async () => {
  const tenant = await service().tenant();
  const { page } = await openSignedIn(browser(), tenant, `/projects/${tenant.projectId}/plugin_configs`);
  const main = page.getByRole('main');
  const link = page.getByRole('link', { name: 'Documents' });
  const menu = page.getByRole('button', { name: 'Menu' });
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(async () => link.isVisible()).toBe(false);
    expect((await main.boundingBox())?.y).toBeLessThan(64);
    await menu.press('Enter');
    await link.waitFor();
    const { x, width: shown } = (await page.locator('#menu').boundingBox()) ?? { x: -1, width: 0 };
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + shown).toBeLessThanOrEqual(width);
    await expectAccessible(page);
    await page.setViewportSize({ width, height: 800 });
    await page.keyboard.press('Escape');
    await link.waitFor({ state: 'hidden' });
  }
  await menu.press('Enter');
  await page.keyboard.press('Tab');
  await link.press('Enter');
  await page.getByRole('heading', { name: 'Documents' }).waitFor();
  await link.waitFor({ state: 'hidden' });
});

test(
  'records and screens are reached by a part of their names, by keyboard alone',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    await tenant.pluginConfigs.create({ plugin: 7, name: 'GeoIP' });
    const { page } = await openSignedIn(browser(), tenant, `/projects/${tenant.projectId}/documents`);
    const input = page.getByRole('combobox', { name: 'Jump to' });
    await page.keyboard.press('Control+k');
    await input.waitFor();
    await page.keyboard.type('geo');
    await page.getByRole('option', { name: 'GeoIP' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'GeoIP' }).waitFor();
    await input.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Jump to…' }).click();
    await page.keyboard.type('runtimes');
    await page.getByRole('option', { name: 'Runtimes Transformations', selected: false }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Runtimes Transformations', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Transformations', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nothing has this name');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'detached' });
  },
);

test(
  'a project is found among thousands by its name and external id, and those opened last come first',
  { tags: ['long'] },
  async () => {
    const token = await service().issueKey(['*']);
    const tenant = await service().tenant();
    await service().rows(
      `insert into project (id, name, external_id, created_at)
  select 500000 + n, 'Customer ' || n, 'customer-' || n, now() from generate_series(1, 5000) n`,
    );
    await service().rows(
      `insert into config_family (project_id, family)
  select id, unnest(array['plugin_configs', 'pipeline_transformation_configs']) from project where id > 500000`,
    );
    onTestFinished(async () => {
      await service().rows('delete from config_family where project_id > 500000');
      await service().rows('delete from project where id > 500000');
    });
    const everywhere = { api: tenant.api, token };
    const { page } = await openSignedIn(browser(), everywhere, `/projects/${tenant.projectId}/incidents`);
    const requests: string[] = [];
    page.on('request', (request) => void requests.push(new URL(request.url()).pathname));
    const switcher = page.getByTitle('Switch to another project');
    const input = page.getByRole('combobox', { name: 'Name or external ID of a project' });
    await switcher.press('Enter');
    await input.fill('Customer 4');
    const best = page.getByRole('option', { name: 'Customer 4 customer-4', exact: true, selected: true });
    await best.waitFor();
    await expectAccessible(page);
    await input.fill('CUSTOMER-4711');
    await page.getByRole('option', { name: 'Customer 4711 customer-4711', selected: true }).waitFor();
    expect(
      requests.filter((path) => path === '/api/projects' || path === '/api/projects/').length,
    ).toBeLessThan(4);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No plugins attached yet' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/projects/504711');
    await page.getByTitle('Switch to another project').getByText('Customer 4711').waitFor();

    await page.goto(`${tenant.api}/console/projects/504712`);
    await page.getByTitle('Switch to another project').getByText('Customer 4712').waitFor();
    await switcher.click();
    await page.getByRole('option', { name: 'Customer 4711', selected: true }).waitFor();
    await page.keyboard.type('nobody has this name');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Jump to' }).fill('customer-4999');
    await page.getByRole('option', { name: 'Customer 4999' }).waitFor();
  },
);

test('a failed search says so', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  const { page } = await openSignedIn(browser(), tenant, `/projects/${tenant.projectId}`);
  await page.route(/\/api\/projects\/?\?/, (route) => route.fulfill({ status: 403 }));
  await page.getByTitle('Switch to another project').click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  expect(await page.getByText('Nothing found').count()).toBe(0);
});

test('the palette offers only what the key may open', { tags: ['long'] }, async () => {
  const [tenant, reader] = [await service().tenant(), await service().tenant(['plugin:read'])];
  const everywhere = { api: tenant.api, token: await service().issueKey(['*']) };
  const search = async (key: typeof everywhere, path: string, text: string) => {
    const { page } = await openSignedIn(browser(), key, path);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Jump to' }).fill(text);
    return page;
  };
  const audit = { name: 'Audit log Administration' };
  await (await search(everywhere, '/', 'audit log')).getByRole('option', audit).waitFor();
  await (await search(tenant, '/', 'audit log')).getByText('Nothing found').waitFor();
  const path = `/projects/${reader.projectId}`;
  await (await search(reader, path, 'attach a')).getByText('Nothing found').waitFor();
  const page = await search(reader, path, 'webhooks');
  await page.getByText('Nothing found').waitFor();
  expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
});

test(
  'a followed link moves the focus to the heading of the page, and going back to the link',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    await tenant.pluginConfigs.create({ plugin: 7, name: 'GeoIP' });
    const { page } = await openSignedIn(browser(), tenant, `/projects/${tenant.projectId}/plugin_configs`);
    const main = page.getByRole('main');
    const focused = page.locator(':focus');
    const record = main.getByRole('link', { name: 'GeoIP' });
    const heading = (name: string) => main.getByRole('heading', { name, exact: true }).and(focused);
    await record.waitFor();
    expect(await focused.count()).toBe(0);
    await record.press('Enter');
    await heading('GeoIP').waitFor();
    await page.getByRole('link', { name: 'Documents' }).press('Enter');
    await heading('Documents').waitFor();
    await page.goBack();
    await heading('GeoIP').waitFor();
    await page.goBack();
    await record.and(focused).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Jump to' }).fill('incidents');
    await page.keyboard.press('Enter');
    await heading('Incidents').waitFor();
  },
);

test('the theme and the density stay as chosen', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  await tenant.pluginConfigs.create({ plugin: 7, name: 'GeoIP' });
  const { page } = await openSignedIn(browser(), tenant, `/projects/${tenant.projectId}/plugin_configs`);
  const heightOf = async () => (await page.locator('[data-id]').first().boundingBox())?.height ?? 0;
  const scheme = async () => page.evaluate<string>('getComputedStyle(document.documentElement).colorScheme');
  await page.getByRole('radio', { name: 'Comfortable rows', checked: true }).waitFor();
  const height = await heightOf();
  await page.getByRole('radio', { name: 'Compact rows' }).check();
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect.poll(heightOf).toBeLessThan(height);
  expect(await scheme()).toBe('dark');
  await page.reload();
  await page.getByRole('radio', { name: 'Compact rows', checked: true }).waitFor();
  expect(await heightOf()).toBeLessThan(height);
  expect(await scheme()).toBe('dark');
});

test('what is typed right after Ctrl K is kept', async () => {
  const tenant = await service().tenant();
  const { page } = await openSignedIn(browser(), tenant, `/projects/${tenant.projectId}`);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('documents');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Documents' }).waitFor();
});
