import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  sharedBrowser,
  expectAccessible,
  holdRequests,
  openRecord,
  signIn,
} from '../testing/console-page.ts';
import { configuredRecord } from '../testing/configured-record.ts';
import { playRuntime } from '../testing/play-runtime.ts';
import { registerPlugin } from '../testing/register-plugin.ts';
import { sharedService } from '../testing/shared-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const service = sharedService();
const browser = sharedBrowser();
const webhook = async () => configuredRecord(service(), PLUGIN, STORED);

const CANARY = 'canary-4f1d';
const MASK = '********';
const PLUGIN = {
  id: 8,
  name: 'Webhook',
  config_schema: [
    {
      key: 'endpoint',
      type: 'string',
      name: 'Endpoint',
      required: true,
      site: true,
      hint: 'Takes the events.',
    },
    { key: 'batch', type: 'number', name: 'Batch size', default: 100 },
    { key: 'retry', type: 'boolean', name: 'Retry' },
    { key: 'region', type: 'choice', name: 'Region', choices: ['eu', 'us'] },
    { key: 'headers', type: 'json', name: 'Headers' },
    { key: 'token', type: 'string', name: 'Token', secret: true, required: true },
    { key: 'password', type: 'string', name: 'Password', secret: true },
  ],
} as const;
const STORED = {
  endpoint: 'https://example.com',
  batch: 10,
  headers: { a: 1 },
  token: 'first',
  password: 'second',
};

/** Returns the link to another screen of the record. Other parts of the page may have links of the same name. */
function recordScreen(page: Page, name: string): Locator {
  return page.getByRole('navigation', { name: 'Record' }).getByRole('link', { name });
}

test(
  'an untouched form sends no request, and one change sends one request with only that change',
  { tags: ['long'] },
  async () => {
    const { tenant, id } = await webhook();
    const { page, writes } = await openConfiguration(tenant, id);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Endpoint').press('Enter');
    await page.getByLabel('Batch size').fill('11');
    await page.getByLabel('Batch size').fill('10');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('All changes saved').waitFor();
    expect(writes).toEqual([]);
    await page.getByLabel('Region').selectOption('us');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('All changes saved').waitFor();
    expect(writes).toEqual([{ region: 'us' }]);
    expect(JSON.parse((await tenant.pluginConfigs.retrieve(id)).config)).toEqual({
      ...STORED,
      region: 'us',
      token: MASK,
      password: MASK,
    });
  },
);

test('a rejected save keeps the input, shows every error at its field, and focuses the first', async () => {
  const { tenant, id } = await webhook();
  const { page, writes } = await openConfiguration(tenant, id);
  await page.getByLabel('Endpoint').fill('');
  await page.getByLabel('Batch size').fill('many');
  await page.getByLabel('Headers').fill('{"a": ');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('This field is required.').waitFor();
  await page.getByText('Enter a number.').waitFor();
  await page.getByText('This is not valid JSON').waitFor();
  expect(await focusedLabel(page)).toContain('Endpoint');
  expect(writes).toEqual([]);
  await expectAccessible(page);

  // The service can reject what the page accepts, for example after a new registration.
  await page.getByLabel('Endpoint').fill('https://example.com/hook');
  await page.getByLabel('Batch size').fill('20');
  await page.getByLabel('Headers').fill('{"a": 2}');
  await page.route('**/config', async (route) => {
    const errors = [
      { code: 'invalid_input', detail: 'No such host.', attr: 'endpoint' },
      { code: 'max_value', detail: 'At most 15.', attr: 'batch' },
    ];
    await route.fulfill({ status: 400, json: { type: 'validation_error', ...errors[0], errors } });
  });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('No such host.').waitFor();
  await page.getByText('At most 15.').waitFor();
  expect(await focusedLabel(page)).toContain('Endpoint');
  await page.unroute('**/config');
  await page.route('**/config', async (route) => route.abort());
  await page.getByLabel('Endpoint').fill('https://example.com/hooks');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel('Endpoint').inputValue()).toBe('https://example.com/hooks');
  expect(await page.getByLabel('Batch size').inputValue()).toBe('20');
  expect(await page.getByLabel('Headers').inputValue()).toBe('{"a": 2}');
  await page.unroute('**/config');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('All changes saved').waitFor();
  expect(JSON.parse((await tenant.pluginConfigs.retrieve(id)).config)).toMatchObject({
    batch: 20,
    headers: { a: 2 },
  });
});

test('a configuration is checked by a runtime before it is saved', async () => {
  const checked = { ...PLUGIN, id: 81, checks: true };
  const { tenant, id } = await configuredRecord(service(), checked, STORED);
  const runtime = await playRuntime(service(), tenant, checked.id);
  const { page, writes } = await openConfiguration(tenant, id);
  const check = page.getByRole('button', { name: 'Check', exact: true });
  const answer = async (result: object) => {
    await check.click();
    const { id: job, type, config } = await runtime.claim();
    await page.getByText('Waiting for a runtime to check it').waitFor();
    await runtime.end(job, result);
    return { type, config };
  };
  await page.getByLabel('Batch size').fill('20');
  await page.getByRole('button', { name: 'Clear Password' }).click();
  const errors = [
    { attr: 'token', detail: 'It is rejected.' },
    { attr: 'quota', detail: 'It is used up.' },
    { detail: 'Try another region.' },
  ];
  const { password: _, ...config } = { ...STORED, batch: 20 };
  expect(await answer({ output: { ok: false, errors, details: { ms: 3 } } })).toEqual({
    type: 'check',
    config,
  });
  const alert = page.getByRole('alert');
  await alert.getByText('This configuration does not work.').waitFor();
  expect(await alert.innerText()).toMatch(/quota: It is used up\.\s+Try another region\.\s+Details/);
  expect(await page.locator('[data-invalid]').innerText()).toContain('It is rejected.');
  expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Replace Token');
  await expectAccessible(page);
  await page.getByLabel('Batch size').fill('');
  await alert.waitFor({ state: 'detached' });
  await answer({ state: 'failed', error: 'Away.' });
  await alert.getByText('This configuration could not be checked. Away.').waitFor();
  expect((await answer({ output: { ok: true } })).config).not.toHaveProperty('batch', 20);
  await page.getByText('This configuration works.').waitFor();
  expect(writes).toEqual([]);

  await page.getByLabel('Endpoint').fill('');
  await check.click();
  await page.getByText('This field is required.').waitFor();
  await page.getByLabel('Endpoint').fill('https://b.example.com');
  await check.click();
  await page.getByText('Waiting for a runtime').waitFor();
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('wait='));
  page.once('dialog', (dialog) => void dialog.accept());
  await recordScreen(page, 'Overview').click();
  await ended;
});

test(
  'a secret is replaced, kept, cleared or restored as a reference, and its value is not in the page after saving',
  { tags: ['long'] },
  async () => {
    const { tenant, id } = await webhook();
    const { page, writes } = await openConfiguration(tenant, id);
    expect(await page.getByLabel('Token').innerText()).toBe('Set');
    await page.getByRole('button', { name: 'Replace Token' }).click();
    expect(await focusedLabel(page)).toContain('Token');
    await page.keyboard.insertText(CANARY);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear Password' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('All changes saved').waitFor();
    expect(writes).toEqual([{ token: CANARY, password: null }]);
    expect(await page.getByLabel('Password').innerText()).toBe('Not set');
    expect(await textOf(page)).not.toContain(CANARY);
    expect(await textOf(page)).not.toContain(MASK);
    expect(JSON.parse((await tenant.pluginConfigs.retrieve(id)).config)).toMatchObject({ token: MASK });

    await page.getByRole('button', { name: 'Replace Token' }).click();
    await page.getByRole('button', { name: 'Keep current Token' }).click();
    await page.getByLabel('Batch size').fill('12');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('All changes saved').waitFor();
    expect(writes[1]).toEqual({ batch: 12 });

    await page.getByRole('button', { name: 'Replace Token' }).click();
    await page.getByRole('checkbox', { name: 'Reference for Token' }).check();
    await page.getByPlaceholder('env://NAME').fill('env://SHOP_TOKEN');
    await expectAccessible(page);
    await page.getByPlaceholder('env://NAME').press('Enter');
    await page.getByText('All changes saved').waitFor();
    await page.getByText('Reference env://SHOP_TOKEN').waitFor();
    const reference = { token: { $ref: 'env://SHOP_TOKEN' } };
    expect(JSON.parse((await tenant.pluginConfigs.retrieve(id)).config)).toMatchObject(reference);

    await tenant.pluginConfigs.setConfiguration(id, { endpoint: 'https://example.com', token: 'third' });
    await page.getByRole('link', { name: 'History', exact: true }).click();
    await page.getByText('reference env://SHOP_TOKEN → secret value').waitFor();
    await page.getByRole('button', { name: 'Revert Configuration: token' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('secret value → reference env://SHOP_TOKEN').waitFor();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(JSON.parse((await tenant.pluginConfigs.retrieve(id)).config)).toMatchObject(reference);
  },
);

test(
  'following a link, going back or closing the page asks before unsaved input is lost',
  { tags: ['long'] },
  async () => {
    const { tenant, id } = await webhook();
    const { page } = await openConfiguration(tenant, id);
    await recordScreen(page, 'Overview').click();
    await recordScreen(page, 'Configuration').click();
    await page.getByLabel('Batch size').fill('99');
    const questions: string[] = [];
    let isLeaving = false;
    page.on('dialog', (dialog) => {
      questions.push(dialog.type());
      void (isLeaving ? dialog.accept() : dialog.dismiss());
    });
    await recordScreen(page, 'Overview').click();
    await page.evaluate('history.back()');
    await expect.poll(() => questions).toEqual(['confirm', 'confirm']);
    expect(await page.getByLabel('Batch size').inputValue()).toBe('99');
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => questions).toEqual(['confirm', 'confirm', 'beforeunload']);
    expect(await page.getByLabel('Batch size').inputValue()).toBe('99');
    isLeaving = true;
    await recordScreen(page, 'Overview').click();
    await page.getByRole('switch').waitFor();
    await recordScreen(page, 'Configuration').click();
    expect(await page.getByLabel('Batch size').inputValue()).toBe('10');
  },
);

test(
  'values that a new schema no longer allows are all reported at their fields, and can be removed',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const id = await tenant.attach(77);
    await tenant.pluginConfigs.setConfiguration(id, { zone: 'asia', old: 1, limit: 5 });
    const config_schema = [
      { key: 'zone', type: 'choice', name: 'Zone', choices: ['eu', 'us'] },
      { key: 'limit', type: 'number', name: 'Limit' },
    ] as const;
    await registerPlugin(service(), { id: 77, name: 'Renewed', config_schema });
    const { page } = await openConfiguration(tenant, id);
    await page.getByLabel('Limit').fill('6');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Not a valid choice.').waitFor();
    await page.getByText('"old": The plugin has no such field.').waitFor();
    expect(await focusedLabel(page)).toContain('Zone');
    expect(await page.getByLabel('Limit').inputValue()).toBe('6');
    await page.getByLabel('Zone').selectOption('eu');
    await page.getByLabel('Other entries (JSON)').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('All changes saved').waitFor();
    expect(await page.getByLabel('Other entries (JSON)').count()).toBe(0);
    expect(JSON.parse((await tenant.pluginConfigs.retrieve(id)).config)).toEqual({ zone: 'eu', limit: 6 });
  },
);

test('input survives the end of a session, for the same key only', { tags: ['long'] }, async () => {
  const { tenant, id } = await webhook();
  const { page } = await openConfiguration(tenant, id);
  await page.getByLabel('Batch size').fill('77');
  await breakSession(page);
  await signIn(page, tenant.token);
  expect(await page.getByLabel('Batch size').inputValue()).toBe('77');
  await page.getByRole('button', { name: 'Replace Token' }).click();
  await page.keyboard.insertText(CANARY);
  await breakSession(page);
  await signIn(page, await service().issueKey(['plugin:write'], [tenant.projectId]));
  expect(await page.getByLabel('Batch size').inputValue()).toBe('10');
  expect(await textOf(page)).not.toContain(CANARY);
});

test('form input survives an expired session, whose cookie is gone', { tags: ['long'] }, async () => {
  const { tenant, id } = await webhook();
  const { page: first } = await openConfiguration(tenant, id);
  const family = `/projects/${tenant.projectId}/plugin_configs`;
  const forms = [
    [`${family}/${id}/configuration`, 'Batch size', '77'],
    [`${family}/attach`, 'Name', 'GeoIP'],
    [`/projects/${tenant.projectId}/documents`, 'Document (JSON)', '{"format": 1'],
  ] as const;
  const pages: Page[] = [];
  for (const [path, label, text] of forms) {
    const page = pages.length === 0 ? first : await first.context().newPage();
    await page.goto(`${tenant.api}/console${path}`);
    await page.getByLabel(label).fill(text);
    pages.push(page);
  }
  await first.context().clearCookies();
  for (const page of pages) await page.getByText('Your session has ended').waitFor();
  // All pages share one browser and notice the new session.
  await signIn(first, tenant.token);
  for (const [index, [, label, text]] of forms.entries()) {
    const field = (pages[index] ?? first).getByLabel(label);
    await field.waitFor();
    expect(await field.inputValue()).toBe(text);
  }
});

test('signing out discards the input, and a failure to sign out is shown', { tags: ['long'] }, async () => {
  const { tenant, id } = await webhook();
  const { page } = await openConfiguration(tenant, id);
  await page.getByLabel('Batch size').fill('77');
  await page.route('**/api/session', async (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.continue(),
  );
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('alert').waitFor();
  await page.unroute('**/api/session');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
  expect(await page.getByText('Your session has ended').count()).toBe(0);
  await signIn(page, tenant.token);
  expect(await page.getByLabel('Batch size').inputValue()).toBe('10');
});

test(
  'reverting an edit while it is being saved is an edit of the saved value',
  { tags: ['long'] },
  async () => {
    const { tenant, id } = await webhook();
    const { page } = await openConfiguration(tenant, id);
    const goOn = await holdRequests(page, '**/config');
    await page.getByLabel('Batch size').fill('20');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Saving…' }).waitFor();
    expect(await page.getByRole('button', { name: 'Discard changes' }).isDisabled()).toBe(true);
    await page.getByLabel('Batch size').fill('10');
    goOn();
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
    expect(await page.getByLabel('Batch size').inputValue()).toBe('10');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('All changes saved').waitFor();
    expect(JSON.parse((await tenant.pluginConfigs.retrieve(id)).config)).toMatchObject({ batch: 10 });
  },
);

test(
  'a discard can be undone until something else is typed or the form is left',
  { tags: ['long'] },
  async () => {
    const { tenant, id } = await webhook();
    const { page } = await openConfiguration(tenant, id);
    const undo = page.getByRole('button', { name: 'Undo' });
    const discardEdit = async (): Promise<void> => {
      await page.getByLabel('Batch size').fill('20');
      await page.getByRole('button', { name: 'Discard changes' }).click();
      await undo.waitFor();
    };
    await discardEdit();
    await page.getByLabel('Endpoint').fill('https://other.example.com');
    await undo.waitFor({ state: 'detached' });
    await discardEdit();
    await recordScreen(page, 'Overview').click();
    await undo.waitFor({ state: 'detached' });
  },
);

test(
  'the configuration of a plugin that is not registered is edited as JSON',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const id = await tenant.attach(99);
    await tenant.pluginConfigs.setConfiguration(id, { host: 'a', port: 1 });
    const { page, writes } = await openConfiguration(tenant, id);
    const editor = page.getByLabel('Configuration (JSON)');
    await editor.fill('{"host": "b", "port": 9007199254740993}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('too many digits').waitFor();
    await expectAccessible(page);
    await editor.fill('{"host": "b", "port": 2}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('All changes saved').waitFor();
    expect(writes).toEqual([{ host: 'b', port: 2 }]);
  },
);

test(
  'a change from elsewhere updates an untouched form, and shows a notice next to edits',
  { tags: ['long'] },
  async () => {
    const { tenant, id } = await webhook();
    const { page } = await openConfiguration(tenant, id);
    await page.getByText('Live', { exact: true }).waitFor();
    await tenant.pluginConfigs.setConfiguration(id, { ...STORED, batch: 50, token: MASK });
    await expect.poll(async () => page.getByLabel('Batch size').inputValue()).toBe('50');
    await page.getByLabel('Endpoint').fill('https://mine.example.com');
    await tenant.pluginConfigs.setConfiguration(id, { ...STORED, batch: 60, token: MASK });
    await page.getByText('This record has changed.').waitFor();
    expect(await page.getByLabel('Endpoint').inputValue()).toBe('https://mine.example.com');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    expect(await page.getByLabel('Batch size').inputValue()).toBe('60');
  },
);

/** Invalidates the session cookie, which the page notices. */
async function breakSession(page: Page): Promise<void> {
  const cookies = await page.context().cookies();
  await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, value: `broken${cookie.value}` })));
  await page.getByText('Your session has ended').waitFor();
}

async function openConfiguration(tenant: Tenant, id: number) {
  const { page } = await openRecord(browser(), tenant, id, '/configuration');
  const writes: unknown[] = [];
  page.on('request', (request) => {
    if (['PUT', 'PATCH'].includes(request.method())) writes.push(request.postDataJSON());
  });
  await page.getByRole('button', { name: 'Save' }).waitFor();
  return { page, writes };
}

/** Returns everything in the page: its elements and the values of its fields. */
async function textOf(page: Page): Promise<string> {
  return page.evaluate<string>(
    `document.documentElement.outerHTML + [...document.querySelectorAll('input, textarea, select')].map(({ value }) => value)`,
  );
}

async function focusedLabel(page: Page): Promise<string> {
  return page.evaluate<string>(
    `[...(document.activeElement.labels ?? [])].map(({ innerText }) => innerText).join()`,
  );
}
