import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser, expectAccessible, openSignedIn } from '../testing/console-page.ts';
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

test('edits from two browsers to different fields are merged in one click', async () => {
  const { tenant, id } = await webhook();
  const [ann, bob] = [await open(tenant, id), await open(tenant, id)];
  await bob.getByLabel('Batch size').fill('20');
  await ann.getByLabel('Endpoint').fill('https://ann.example.com');
  await save(ann);
  await ann.getByText('All changes saved').waitFor();
  await bob.getByText('Someone else changed this record.').waitFor();
  await save(bob);
  const dialog = bob.getByRole('dialog');
  await dialog.getByText('Merging keeps both sets of changes.').waitFor();
  const shown = await dialog.innerText();
  for (const text of ['https://example.com', 'https://ann.example.com', '10', '20', 'key of project']) {
    expect(shown).toContain(text);
  }
  await expectAccessible(bob);
  await dialog.getByRole('button', { name: 'Merge and save' }).click();
  await bob.getByText('All changes saved').waitFor();
  expect(await bob.getByRole('dialog').count()).toBe(0);
  expect(await bob.getByLabel('Endpoint').inputValue()).toBe('https://ann.example.com');
  expect(await configOf(tenant, id)).toEqual({ endpoint: 'https://ann.example.com', batch: 20, token: MASK });
  await expect.poll(async () => ann.getByLabel('Batch size').inputValue()).toBe('20');
});

test('edits to the same field need a choice, which a second change resets', { tags: ['long'] }, async () => {
  const { tenant, id } = await webhook();
  const page = await open(tenant, id);
  await page.getByLabel('Batch size').fill('20');
  await page.getByLabel('Endpoint').fill('https://mine.example.com');
  await tenant.pluginConfigs.setConfiguration(id, { ...STORED, batch: 30, token: MASK });
  await save(page);
  const dialog = page.getByRole('dialog');
  const merge = dialog.getByRole('button', { name: 'Merge and save' });
  await dialog.getByText('You both changed one field.').waitFor();
  expect(await merge.isDisabled()).toBe(true);
  await dialog.getByRole('radio', { name: 'Yours 20' }).check();
  await expect.poll(async () => merge.isEnabled()).toBe(true);
  await expectAccessible(page);

  await tenant.pluginConfigs.setConfiguration(id, { ...STORED, batch: 40, token: MASK });
  await dialog.getByText('The record changed again').waitFor();
  await dialog.getByRole('radio', { name: 'Theirs 40' }).waitFor();
  expect(await merge.isDisabled()).toBe(true);
  await dialog.getByRole('radio', { name: 'Theirs 40' }).check();

  // This change reaches the service before the merge does, and the page only after it.
  await page.route(
    '**/config',
    async (route) => {
      await tenant.pluginConfigs.update(id, { name: 'Renamed' });
      await route.continue();
    },
    { times: 1 },
  );
  await merge.click();
  await dialog.getByText('Renamed').waitFor();
  await expect.poll(async () => merge.isEnabled()).toBe(true);
  await merge.click();
  await page.getByText('All changes saved').waitFor();
  expect(await configOf(tenant, id)).toEqual({
    endpoint: 'https://mine.example.com',
    batch: 40,
    token: MASK,
  });
});

test(
  'a secret that both replaced is only shown as changed, and one that only I replaced needs no choice',
  { tags: ['long'] },
  async () => {
    const { tenant, id } = await webhook();
    const page = await open(tenant, id);
    await page.getByRole('button', { name: 'Replace Token' }).click();
    await page.keyboard.insertText(CANARY);
    await tenant.pluginConfigs.setConfiguration(id, { ...STORED, token: 'theirs-5511' });
    await save(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('You both changed one field.').waitFor();
    const html = await dialog.innerHTML();
    for (const secret of [CANARY, 'theirs-5511', MASK]) expect(html).not.toContain(secret);
    await dialog.getByRole('radio', { name: 'Yours changed' }).check();
    await dialog.getByRole('button', { name: 'Merge and save' }).click();
    await page.getByText('All changes saved').waitFor();
    expect(await page.evaluate<string>('document.documentElement.outerHTML')).not.toContain(CANARY);

    await page.getByRole('button', { name: 'Replace Token' }).click();
    await page.keyboard.insertText(`${CANARY}-2`);
    await tenant.pluginConfigs.setConfiguration(id, { ...STORED, batch: 12, token: MASK });
    await save(page);
    await dialog.getByText('Merging keeps both sets of changes.').waitFor();
    await dialog.getByRole('button', { name: 'Merge and save' }).click();
    await page.getByText('All changes saved').waitFor();
    expect(await configOf(tenant, id)).toMatchObject({ batch: 12 });
  },
);

test('discarding my edits keeps theirs, and undo brings mine back', { tags: ['long'] }, async () => {
  const { tenant, id } = await webhook();
  const page = await open(tenant, id);
  await page.getByLabel('Batch size').fill('20');
  await tenant.pluginConfigs.setConfiguration(id, { ...STORED, batch: 30, token: MASK });
  await save(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Discard my changes' }).click();
  await expect.poll(async () => page.getByLabel('Batch size').inputValue()).toBe('30');
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await page.getByLabel('Batch size').inputValue()).toBe('20');
  await save(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click();
  expect(await page.getByLabel('Batch size').inputValue()).toBe('20');
  expect(await configOf(tenant, id)).toMatchObject({ batch: 30 });
});

test(
  'a dialog that fails to load the changes can be closed, and restores the focus',
  { tags: ['long'] },
  async () => {
    const { tenant, id } = await webhook();
    const page = await open(tenant, id);
    await page.getByLabel('Batch size').fill('20');
    await tenant.pluginConfigs.setConfiguration(id, { ...STORED, batch: 30, token: MASK });
    await page.route('**/activity*', (route) => route.fulfill({ status: 500 }));
    await save(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Batch size').inputValue()).toBe('20');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Save');
  },
);

test('a new name is merged with a new description from another browser', { tags: ['long'] }, async () => {
  const { tenant, id } = await webhook();
  const page = await open(tenant, id, '');
  await page.getByLabel('Name', { exact: true }).fill('Mine');
  await tenant.pluginConfigs.update(id, { description: 'Theirs' });
  await save(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Merge and save' }).click();
  await page.getByRole('heading', { name: 'Mine' }).waitFor();
  expect(await tenant.pluginConfigs.retrieve(id)).toMatchObject({ name: 'Mine', description: 'Theirs' });
});

async function open(tenant: Tenant, id: number, tab = '/configuration'): Promise<Page> {
  const path = `/projects/${tenant.projectId}/plugin_configs/${id}${tab}`;
  const { page } = await openSignedIn(browser(), tenant, path);
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
