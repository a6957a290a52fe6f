import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser, expectAccessible, openRecord } from '../testing/console-page.ts';
import { configuredRecord } from '../testing/configured-record.ts';
import { sharedService } from '../testing/shared-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const service = sharedService();
const browser = sharedBrowser();
const webhook = async () => configuredRecord(service(), PLUGIN, STORED);

const CANARY = 'canary-77aa';
const MASK = '********';
const PLUGIN = {
  id: 8,
  name: 'Webhook',
  config_schema: [
    { key: 'endpoint', type: 'string', name: 'Endpoint' },
    { key: 'batch', type: 'number', name: 'Batch size' },
    { key: 'token', type: 'string', name: 'Token', secret: true },
  ],
} as const;
const STORED = { endpoint: 'https://example.com', batch: 10, token: 'first' };

test('edits from two browsers to different fields are both saved', { tags: ['long'] }, async () => {
  const { tenant, id } = await webhook();
  const [ann, bob] = [await open(tenant, id), await open(tenant, id)];
  await bob.getByLabel('Batch size').fill('20');
  await ann.getByLabel('Endpoint').fill('https://ann.example.com');
  await save(ann);
  await ann.getByText('All changes saved').waitFor();
  await bob.getByText('This record has changed.').waitFor();
  await save(bob);
  const dialog = bob.getByRole('dialog');
  await dialog.getByRole('row', { name: 'Endpoint https://ann.example.com' }).waitFor();
  await dialog.getByRole('row', { name: 'Batch size 10 20' }).waitFor();
  await expectAccessible(bob);
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await bob.getByText('All changes saved').waitFor();
  expect(await bob.getByRole('dialog').count()).toBe(0);
  expect(await bob.getByLabel('Endpoint').inputValue()).toBe('https://ann.example.com');
  expect(await configOf(tenant, id)).toEqual({ endpoint: 'https://ann.example.com', batch: 20, token: MASK });
  await expect.poll(async () => ann.getByLabel('Batch size').inputValue()).toBe('20');
});

test('the dialog follows the record, and a later change conflicts again', { tags: ['long'] }, async () => {
  const { tenant, id } = await webhook();
  const page = await open(tenant, id);
  await page.getByLabel('Batch size').fill('20');
  await tenant.pluginConfigs.setConfiguration(id, { ...STORED, batch: 30, token: MASK });
  await save(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('row', { name: 'Batch size 30 20' }).waitFor();
  await tenant.pluginConfigs.setConfiguration(id, { ...STORED, batch: 40, token: MASK });
  await dialog.getByRole('row', { name: 'Batch size 40 20' }).waitFor();

  // This change reaches the service before the save does, and the page only after it.
  await page.route(
    '**/config',
    async (route) => {
      await tenant.pluginConfigs.update(id, { name: 'Renamed' });
      await route.continue();
    },
    { times: 1 },
  );
  const keepMine = dialog.getByRole('button', { name: 'Keep mine' });
  await keepMine.click();
  await dialog.getByText('Renamed').first().waitFor();
  await expect.poll(async () => keepMine.isEnabled()).toBe(true);
  await keepMine.click();
  await page.getByText('All changes saved').waitFor();
  expect(await configOf(tenant, id)).toEqual({ ...STORED, batch: 20, token: MASK });
});

test('a secret that both replaced is only shown as set and changed', { tags: ['long'] }, async () => {
  const { tenant, id } = await webhook();
  const page = await open(tenant, id);
  await page.getByRole('button', { name: 'Replace Token' }).click();
  await page.keyboard.insertText(CANARY);
  await tenant.pluginConfigs.setConfiguration(id, { ...STORED, token: 'theirs-5511' });
  await save(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('row', { name: 'Token set changed' }).waitFor();
  const html = await dialog.innerHTML();
  for (const secret of [CANARY, 'theirs-5511', MASK]) expect(html).not.toContain(secret);
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByText('All changes saved').waitFor();
  expect(await page.evaluate<string>('document.documentElement.outerHTML')).not.toContain(CANARY);
});

test('taking theirs drops my edits, and undo brings them back', { tags: ['long'] }, async () => {
  const { tenant, id } = await webhook();
  const page = await open(tenant, id);
  await page.getByLabel('Batch size').fill('20');
  await tenant.pluginConfigs.setConfiguration(id, { ...STORED, batch: 30, token: MASK });
  await save(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Take theirs' }).click();
  await expect.poll(async () => page.getByLabel('Batch size').inputValue()).toBe('30');
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await page.getByLabel('Batch size').inputValue()).toBe('20');
  await save(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Batch size').inputValue()).toBe('20');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Save');
  expect(await configOf(tenant, id)).toMatchObject({ batch: 30 });
});

async function open(tenant: Tenant, id: number): Promise<Page> {
  const { page } = await openRecord(browser(), tenant, id, '/configuration');
  await page.getByRole('button', { name: 'Save' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  return page;
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
}

async function configOf(tenant: Tenant, id: number): Promise<unknown> {
  return JSON.parse((await tenant.pluginConfigs.retrieve(id)).config);
}
