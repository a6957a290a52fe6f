import { expect, test } from 'vitest';
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

test('records and screens are reached by a part of their names, by keyboard alone', async () => {
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
});

test('the palette offers only what the key may open', async () => {
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

test('a followed link moves the focus to the heading of the page, and going back to the link', async () => {
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
});

test('the theme and the density stay as chosen', async () => {
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
