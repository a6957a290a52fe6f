import { pluginConfigClient } from '@plugin-config/client';
import { TEST_SECRETS_KEYS } from '@plugin-config/persistence/testing';
import { expect, test } from 'vitest';
import { administrator } from '../testing/administrator.ts';
import {
  sharedBrowser,
  expectAccessible,
  openConsole,
  openSignedIn,
  signIn,
} from '../testing/console-page.ts';
import { runCommand } from '../testing/run-command.ts';
import { registerPlugin } from '../testing/register-plugin.ts';
import { sharedService } from '../testing/shared-service.ts';

const service = sharedService();
const browser = sharedBrowser();

/** Opens a screen with a new, unrestricted key. */
async function openAdministration(screen: string) {
  const [api, token] = [await service().http.url(), await service().issueKey(['*'])];
  return { url: api, ...(await openSignedIn(browser(), { api, token }, `/administration/${screen}`)) };
}

test(
  'an operator registers a plugin and issues a key that a colleague signs in with',
  { tags: ['long'] },
  async () => {
    const { url, page } = await openAdministration('plugins');
    await page.getByRole('heading', { name: 'No plugins registered yet' }).waitFor();
    await page.getByRole('link', { name: 'Register a plugin' }).click();
    await page.getByLabel('ID (the number').fill('8');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Webhook');
    await page.getByRole('button', { name: 'Add field' }).click();
    await page.getByLabel('Configuration key').fill('token');
    await page.getByLabel('Secret (never shown)').check();
    await page.getByLabel('Default (JSON)').fill('open sesame');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('alert').getByText('is not valid').waitFor();
    await expectAccessible(page);
    const dialogShown = page.waitForEvent('dialog');
    const leaving = page.getByRole('link', { name: 'All plugins' }).click();
    await (await dialogShown).dismiss();
    await leaving;
    await page.getByLabel('Default (JSON)').fill('"open sesame"');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Webhook was registered.').waitFor();
    await page.getByRole('link', { name: 'Webhook' }).click();
    await page.getByRole('button', { name: 'Save changes' }).waitFor();
    expect(await page.content()).not.toContain('open sesame');

    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'Issue a key' }).click();
    await page.getByLabel('Who or what is it for?').fill('colleague');
    await page.getByRole('button', { name: 'Issue', exact: true }).click();
    await page.getByRole('alert').getByText('Choose the projects of the key').waitFor();
    await page.getByLabel('All projects, including later ones').check();
    await page.getByRole('button', { name: 'Issue', exact: true }).click();
    const token = await page.locator('code.token').innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(token);
    await expectAccessible(page);

    const colleague = await openConsole(browser(), url, '/administration/audit');
    await signIn(colleague.page, token);
    await colleague.page.getByRole('heading', { name: 'You may not open this page' }).waitFor();
    expect(await colleague.page.getByRole('link', { name: 'Keys' }).count()).toBe(0);

    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Revoke colleague' }).click();
    await page.getByText('The key colleague was revoked.').waitFor();
    await colleague.page.reload();
    await colleague.page.getByLabel('API key').waitFor();
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByText('revoked the key').waitFor();
    await expectAccessible(page);
  },
);

test('a key is issued for projects and plugins that are found by their names and ids, by keyboard', async () => {
  const { createProject } = await administrator(service());
  const acme = await createProject({ name: 'Acme of keys', external_id: 'keys-acme' });
  const shop = await createProject({ name: 'Shop of keys' });
  await registerPlugin(service(), { id: 80, name: 'Locations', slug: 'geo-ip' });
  const { page } = await openAdministration('keys');
  await page.getByRole('button', { name: 'Issue a key' }).click();
  await page.getByLabel('Who or what is it for?').fill('two tenants');
  const input = page.getByRole('combobox', { name: 'Name or external ID of a project' });
  await input.fill('keys-ac');
  await page.getByRole('option', { name: 'Acme of keys keys-acme', selected: true }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove Acme of keys' }).waitFor();
  await input.fill('of keys');
  await page.getByRole('option', { name: 'Shop of keys' }).click();
  await input.fill('nobody');
  await page.getByText('Nothing found').waitFor();
  await page.keyboard.press('Escape');
  expect(await input.inputValue()).toBe('');
  // The options of the emptied field may still move what is below them.
  await page.getByLabel('These plugins').press('Space');
  await page.getByRole('combobox', { name: 'Name or slug of a plugin' }).fill('geo-');
  await page.getByRole('option', { name: 'Locations geo-ip' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove Locations' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Issue', exact: true }).click();
  await page.getByRole('alert').getByText('can only have').waitFor();
  await page.getByRole('checkbox', { name: 'plugin:read' }).uncheck();
  await page.getByRole('checkbox', { name: 'plugin_log:write' }).check();
  await page.getByRole('button', { name: 'Issue', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText(`projects ${acme.id}, ${shop.id} · plugin 80`).waitFor();
});

test('a registration form keeps its edits if a reload fails', { tags: ['long'] }, async () => {
  await registerPlugin(service(), { id: 9, name: 'Mailer', config_schema: [] });
  const { page, context } = await openAdministration('plugins/9');
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Post');
  await page.route('**/api/plugins/9', (route) => route.fulfill({ status: 403 }));
  const rejected = page.waitForResponse('**/api/plugins/9');
  await page.clock.install();
  await page.clock.fastForward('00:30');
  await context.setOffline(true);
  await context.setOffline(false);
  await rejected;
  await page.clock.runFor(1_000);
  await page.getByRole('button', { name: 'Save changes' }).waitFor();
  expect(await name.inputValue()).toBe('Post');
  await name.fill('Postman');
  expect(await name.inputValue()).toBe('Postman');
});

test('a registration keeps its jobs and checks, which can be edited', async () => {
  const jobs = [{ type: 'replay', payload_schema: { type: 'object', properties: { at: {} } } }];
  const registration = { name: 'Sender', config_schema: [], jobs, checks: true };
  await registerPlugin(service(), { id: 82, ...registration });
  const { plugins } = await administrator(service());
  const { page } = await openAdministration('plugins/82');
  const save = async (): Promise<void> => page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Sends.');
  await save();
  await page.getByText('Sender was registered.').waitFor();
  expect(await plugins.retrieve(82)).toEqual({ id: 82, ...registration, description: 'Sends.' });
  await page.getByRole('link', { name: 'Sender' }).click();
  await page.getByRole('textbox', { name: 'Jobs (JSON)' }).fill('[{');
  await page.getByRole('checkbox', { name: 'They check configurations' }).uncheck();
  await save();
  await page.getByRole('alert').getByText('The jobs are not valid JSON').waitFor();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Jobs (JSON)' }).fill('[{"type": "export"}]');
  await save();
  const { checks: _, ...others } = registration;
  const changed = { id: 82, ...others, description: 'Sends.', jobs: [{ type: 'export' }] };
  await expect.poll(async () => plugins.retrieve(82)).toEqual(changed);
});

test('a project is created, edited, found, and deleted by typing its name', async () => {
  const { page } = await openAdministration('projects');
  await page.getByRole('button', { name: 'Create a project' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Web shop');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'Edit Web shop' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop');
  await page.getByRole('textbox', { name: 'External ID' }).fill('shop-7');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('searchbox').fill('SHOP-7');
  const found = page.getByRole('listitem').filter({ hasText: 'shop-7' });
  await found.getByRole('link', { name: 'Shop', exact: true }).waitFor();
  await found.getByRole('button', { name: 'Delete Shop', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const remove = dialog.getByRole('button', { name: 'Delete the project' });
  expect(await remove.isDisabled()).toBe(true);
  await expectAccessible(page);
  await dialog.getByRole('textbox', { name: 'Name of the project' }).fill('Shop');
  await remove.click();
  await page.getByRole('heading', { name: 'No matching projects' }).waitFor();
});

test('the usage of a project is shown with its quota', { tags: ['long'] }, async () => {
  await service().tenant();
  const { page } = await openAdministration('projects');
  await page
    .getByRole('button', { name: /^Usage of / })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('row', { name: 'Quota No limit No limit –' }).waitFor();
  expect(await dialog.getByRole('row').count()).toBe(33);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).click();
  expect(await dialog.count()).toBe(0);
});

test('a key labelled like the operator is not shown as the operator', { tags: ['long'] }, async () => {
  const env = { DATABASE_URL: service().databaseUrl, SECRETS_KEYS: TEST_SECRETS_KEYS };
  const input = JSON.stringify({ id: 90, name: 'Of the operator' });
  expect(await runCommand(['plugin', 'register', '-'], { env, input })).toMatchObject({ code: 0 });
  const { keys } = await administrator(service());
  const { token } = await keys.create({ label: 'Operator', scopes: ['*'] });
  const api = await service().http.url();
  await pluginConfigClient({ url: api, key: token }).createProject({ name: 'Of the key' });
  const { page } = await openSignedIn(browser(), { api, token }, '/administration/audit');
  const entryOf = (subject: string) => page.getByRole('listitem').filter({ hasText: subject });
  const byOperator = entryOf('Of the operator').locator('strong.operator');
  expect(await byOperator.innerText()).toBe('Operator');
  const ofKey = entryOf('Of the key').locator('strong').first();
  expect(await ofKey.innerText()).toBe('Operator');
  expect(await ofKey.getAttribute('title')).toMatch(/^Key \d+$/);
  expect(await entryOf('Of the key').locator('strong.operator').count()).toBe(0);
  expect(await ofKey.locator('bdi').count()).toBe(1);
  await expectAccessible(page);
});

test('an administrator creates, changes and deletes a trust', { tags: ['long'] }, async () => {
  const { page } = await openAdministration('trusts');
  await page.getByRole('button', { name: 'Create a trust' }).click();
  await page.getByLabel('Name, shown').fill('Deploy from main');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('alert').getByText('is not a claim with its value').waitFor();
  await page.getByLabel('Claims: one').fill('environment = production');
  await page.getByLabel('All projects, including later ones').check();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('alert').getByText('must be an id').waitFor();
  await page.getByLabel('Claims: one').fill('repository_id = 7\nrepository_id = 8\nenvironment = production');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('repository_id = 7 or 8, environment = production').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Change Deploy from main' }).click();
  await page.getByLabel('Name, shown').fill('Deploy');
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Delete Deploy', exact: true }).click();
  await page.getByText('The trust Deploy was deleted.').waitFor();
});
