import { expect, test } from 'vitest';
import { sharedBrowser, expectAccessible, openRecord } from '../testing/console-page.ts';
import { sharedService } from '../testing/shared-service.ts';

const service = sharedService();
const browser = sharedBrowser();

test('the history shows who changed what, live', async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  await tenant.pluginConfigs.update(id, { name: 'GeoIP', description: 'First\nSecond\nThird' });
  await tenant.pluginConfigs.setConfiguration(id, { host: 'a.example', rules: [1, 2] });
  const { page } = await openRecord(browser(), tenant, id, '/history');
  const newest = page.locator('.activity > li').first();
  await newest.getByText('configured').waitFor();
  await tenant.pluginConfigs.update(id, { description: 'First\n2nd\nThird', enabled: true });
  await newest.getByText('enabled', { exact: false }).first().waitFor();
  const lines = newest.locator('.lines');
  await lines.getByText('2nd').waitFor();
  expect((await lines.innerText()).trim()).toBe('First\n− Second\n+ 2nd\n  Third');
  await newest.getByRole('button', { name: /Copy request ID/ }).waitFor();
  await expectAccessible(page);
});

test('more of a history can be loaded while the record changes', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  for (let i = 0; i < 130; i += 1) await tenant.pluginConfigs.update(id, { name: `Name ${i}` });
  const { page } = await openRecord(browser(), tenant, id, '/history');
  const rows = page.locator('.activity > li');
  await expect.poll(() => rows.count()).toBe(100);
  await page.getByText('Live', { exact: true }).waitFor();
  let isChanged = false;
  await page.route(/activity\?.*offset=100/, async (route) => {
    if (!isChanged) {
      isChanged = true;
      const reread = page.waitForResponse(/activity\?.*offset=0/);
      await tenant.pluginConfigs.update(id, { name: 'Concurrent' });
      await reread;
    }
    // The page may have cancelled this request.
    await route.continue().catch(() => undefined);
  });
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => rows.count()).toBe(132);
});

test('the history of a family is filtered through its address', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  const [first, second] = [await tenant.attach(), await tenant.attach(8)];
  await tenant.pluginConfigs.update(first, { enabled: true });
  await tenant.pluginConfigs.update(second, { name: 'Webhook' });
  const { page } = await openRecord(browser(), tenant, first, '/history');
  await page.getByRole('link', { name: 'History of all plugins' }).click();
  await expect.poll(() => page.locator('.activity > li').count()).toBe(4);
  await expectAccessible(page);
  const until = await page.getByLabel('Until').boundingBox();
  const apply = await page.getByRole('button', { name: 'Apply filters' }).boundingBox();
  expect(apply?.x, 'in the row of the filters').toBeGreaterThan(until?.x ?? Infinity);
  await page.getByRole('combobox', { name: 'Change' }).selectOption('updated');
  await page.getByRole('button', { name: 'Apply filters' }).click();
  await expect.poll(() => page.locator('.activity > li').count()).toBe(1);
  await expect.poll(() => new URL(page.url()).search).toBe('?activity=updated');
  await page.getByRole('textbox', { name: 'Record' }).fill(String(first));
  await page.getByRole('button', { name: 'Apply filters' }).click();
  await page.getByText('No changes match the filters').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: `record ${second}` }).click();
  await page.getByRole('heading', { name: 'Webhook' }).waitFor();
});

test(
  'a field and a revision are restored without overwriting concurrent changes',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const id = await tenant.attach();
    await tenant.pluginConfigs.setConfiguration(id, { host: 'a.example', retries: 3 });
    await tenant.pluginConfigs.update(id, { name: 'First' });
    await tenant.pluginConfigs.setConfiguration(id, { host: 'b.example', retries: 5 });
    await tenant.pluginConfigs.update(id, { enabled: true, name: 'Second' });
    const { page } = await openRecord(browser(), tenant, id, '/history');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Revert Configuration: host' }).first().click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await dialog.waitFor({ state: 'detached' });
    const configured = await tenant.pluginConfigs.retrieve(id);
    expect(JSON.parse(configured.config)).toEqual({ host: 'a.example', retries: 5 });

    await page.getByRole('button', { name: 'Revert Enabled' }).first().click();
    let writes = 0;
    await page.route(`**/plugin_configs/${id}`, async (route) => {
      if (route.request().method() === 'PATCH') {
        writes += 1;
        if (writes === 1) await tenant.pluginConfigs.update(id, { name: 'Third' });
      }
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await dialog.getByText('The record has changed').waitFor();
    expect(await tenant.pluginConfigs.retrieve(id)).toMatchObject({ enabled: true, name: 'Third' });
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await tenant.pluginConfigs.retrieve(id)).toMatchObject({ enabled: false, name: 'Third' });

    await page.getByRole('link', { name: 'Revisions' }).click();
    await page.getByText('(current)').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Restore revision 3' }).click();
    await dialog.getByText('First').waitFor();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await dialog.waitFor({ state: 'detached' });
    const restored = await tenant.pluginConfigs.retrieve(id);
    expect(restored).toMatchObject({ enabled: false, name: 'First' });
    expect(JSON.parse(restored.config)).toEqual({ host: 'a.example', retries: 3 });
  },
);
