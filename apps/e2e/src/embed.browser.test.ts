import { pluginConfigClient, type Scope } from '@plugin-config/client';
import type { Frame, FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { administrator } from './testing/administrator.ts';
import { openPage, sharedBrowser, violationsOf } from './testing/console-page.ts';
import { mountIn, serveProduct, type ProductPage } from './testing/product-page.ts';
import { registerPlugin } from './testing/register-plugin.ts';
import { runService, type RunningService } from './testing/running-service.ts';
import type { Tenant } from './testing/tenant.ts';

const SENDER = {
  id: 91,
  name: 'Sender',
  checks: true,
  jobs: [{ type: 'replay', name: 'Send again' }],
  config_schema: [
    { key: 'host', name: 'Host', type: 'string', required: true },
    { key: 'token', name: 'Token', type: 'string', secret: true },
  ],
} as const;
const DELIVERY = { kind: 'delivery', successes: 1, successes_on_retry: 0, failures: 2 };
const LONG = { tags: 'long', timeout: 180_000 } as const;

const browser = sharedBrowser();
let product: ProductPage;
let other: ProductPage;
let service: RunningService;

beforeAll(async () => {
  [product, other] = await Promise.all([serveProduct(), serveProduct()]);
  service = await runService({ EMBED_ORIGINS: product.origin });
  await registerPlugin(service, SENDER);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await Promise.all([product, other].map((page) => page[Symbol.asyncDispose]()));
});

/** A project with a plugin, and a function that issues tokens for it. */
async function aCustomer() {
  const tenant = await service.tenant();
  const id = await tenant.attach(SENDER.id);
  await tenant.pluginConfigs.update(id, { name: 'Orders' });
  await tenant.pluginConfigs.setConfiguration(id, { host: 'a.example', token: 'hunter2' });
  const { tokens } = pluginConfigClient({ url: tenant.api, key: tenant.token });
  const issue = async (scope: Scope = 'config:write', seconds = 900): Promise<string> => {
    const order = { scopes: [scope], project_ids: [tenant.projectId], expires_in: seconds };
    return (await tokens.create(order)).token;
  };
  return { tenant, id, issue };
}

async function openProduct({ origin }: ProductPage, viewport = { width: 1000, height: 900 }): Promise<Page> {
  const origins = [product.origin, other.origin, await service.http.url()];
  const { page } = await openPage(browser(), origins, viewport);
  await page.goto(origin);
  return page;
}

function frameOf(page: Page): Frame {
  const [frame] = page.mainFrame().childFrames();
  if (frame === undefined) throw new Error('There is no frame.');
  return frame;
}

/** The form beside that of name and description. */
const configurationIn = (shown: FrameLocator): Locator => shown.getByRole('form', { name: 'Configuration' });

async function expectReadable(page: Page, width: number): Promise<void> {
  const frame = frameOf(page);
  expect(await violationsOf(frame)).toEqual([]);
  expect(await frame.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
}

const mountOf = ({ api, projectId }: Tenant, ...tokens: (string | null)[]) => ({
  url: api,
  project: projectId,
  tokens,
});

test(
  'a customer finds, configures, enables and replays a plugin, with the keyboard alone',
  LONG,
  async () => {
    const { tenant, id, issue } = await aCustomer();
    const now = new Date().toISOString();
    await tenant.push([
      { plugin_config_id: id, message: 'Exported 120 events' },
      { ...DELIVERY, plugin_config_id: id, id: crypto.randomUUID(), timestamp: now },
    ]);
    const page = await openProduct(product);
    const requests: { readonly url: string; readonly headers: Record<string, string> }[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith(`${tenant.api}/api/`))
        requests.push({ url: request.url(), headers: request.headers() });
    });
    const token = await issue();
    const shown = await mountIn(page, { ...mountOf(tenant, token), lang: 'de' });
    await shown.getByRole('heading', { name: 'Plugins' }).waitFor();
    expect(await shown.locator('html').getAttribute('lang')).toBe('de');

    await shown.getByRole('switch', { name: 'Orders enabled' }).press('Space');
    await shown.getByText('Orders was enabled.').waitFor();
    await shown.getByRole('link', { name: 'Orders' }).press('Enter');
    await expect.poll(async () => shown.getByLabel('Host').inputValue()).toBe('a.example');
    await shown.getByLabel('Host').fill('b.example');
    await shown.getByLabel('Host').press('Enter');
    await configurationIn(shown).getByText('All changes saved').waitFor();
    expect(JSON.parse((await tenant.pluginConfigs.retrieve(id)).config)).toMatchObject({ host: 'b.example' });
    await shown.getByRole('button', { name: 'Check' }).waitFor();

    const tab = (name: string) => shown.getByRole('navigation').getByRole('link', { name });
    await tab('Log').press('Enter');
    await shown.getByText('Exported 120 events').waitFor();
    await tab('Deliveries').press('Enter');
    await shown.getByRole('link', { name: 'Replay the last 24 hours' }).press('Enter');
    await shown.getByRole('button', { name: 'Run', exact: true }).press('Enter');
    await shown.getByRole('listitem').getByText('Queued', { exact: true }).waitFor();
    await shown.getByRole('link', { name: 'Plugins' }).press('Enter');
    await shown.getByRole('switch').waitFor();

    const activity = await tenant.pluginConfigs.activity(id).page();
    expect(activity.results.map((one) => one.activity)).toContain('job_queued');
    expect(requests.length).toBeGreaterThan(5);
    for (const { url, headers } of requests) {
      expect(url).not.toContain(token);
      expect([headers['cookie'], headers['authorization']]).toEqual([undefined, `Bearer ${token}`]);
    }
    const kept = 'JSON.stringify([document.cookie, localStorage.length, sessionStorage.length])';
    expect(await frameOf(page).evaluate(kept)).toBe('["",0,0]');
    expect(frameOf(page).url()).not.toContain(token);
  },
);

test('nothing is shown that the token may not do', LONG, async () => {
  const { tenant, id, issue } = await aCustomer();
  const page = await openProduct(product);
  const shown = await mountIn(page, mountOf(tenant, await issue('plugin:read')));
  await shown.getByRole('link', { name: 'Orders' }).click();
  await shown.getByText('a.example').waitFor();
  for (const role of ['switch', 'button', 'textbox'] as const)
    expect([role, await shown.getByRole(role).count()]).toEqual([role, 0]);
  const forbidden = ['History', 'Overview', 'Runtimes', 'Delete', 'Alerts'];
  for (const name of forbidden) expect(await shown.getByText(name, { exact: true }).count()).toBe(0);
  expect((await tenant.pluginConfigs.retrieve(id)).enabled).toBe(false);
});

test(
  'it is readable in the colours of the product: dark, narrow, and as narrow as at 200 %',
  LONG,
  async () => {
    const { tenant, issue } = await aCustomer();
    const page = await openProduct(product, { width: 360, height: 800 });
    const theme = { colorScheme: 'dark', accent: '#003311', radius: 0, font: 'Georgia' } as const;
    const shown = await mountIn(page, { ...mountOf(tenant, await issue()), theme });
    await shown.getByRole('switch').waitFor();
    await expectReadable(page, 360);
    await shown.getByRole('link', { name: 'Orders' }).click();
    await shown.getByLabel('Host').waitFor();
    await expectReadable(page, 360);
    expect(
      await frameOf(page).evaluate('getComputedStyle(document.querySelector("h1")).fontFamily'),
    ).toContain('Georgia');
    await page.evaluate(`mounted.setTheme({ colorScheme: 'light', accent: '#ffee00' })`);
    await shown.locator('html[data-theme=light]').waitFor();
    await expectReadable(page, 360);
    // A window of 360 pixels at 200 %.
    await page.setViewportSize({ width: 180, height: 400 });
    await expect.poll(async () => frameOf(page).evaluate('document.documentElement.scrollWidth')).toBe(180);
    // The frame is as high as what it shows.
    const heights = async (): Promise<number> =>
      frameOf(page).evaluate('document.documentElement.scrollHeight - document.documentElement.clientHeight');
    await expect.poll(heights).toBe(0);
  },
);

test(
  'an ended token is replaced before and after its end, without losing input or the live list',
  LONG,
  async () => {
    const { tenant, id, issue } = await aCustomer();
    const page = await openProduct(product);
    const first = await issue('config:write', 8);
    const shown = await mountIn(page, mountOf(tenant, first, null, await issue()));
    await shown.getByRole('link', { name: 'Orders' }).click();
    await shown.getByLabel('Host').fill('unsaved.example');
    // Half-way through its life the product has no token. The page keeps what it shows, and works until the end of the first.
    await shown.getByText('Your input is kept.').waitFor();
    expect(await page.evaluate('asked')).toBe(2);
    const isEnded = async (): Promise<boolean> =>
      pluginConfigClient({ url: tenant.api, key: first })
        .key()
        .then(
          () => false,
          () => true,
        );
    await expect.poll(isEnded, { timeout: 60_000 }).toBe(true);
    await configurationIn(shown).getByRole('button', { name: 'Save' }).click();
    await configurationIn(shown).getByText('All changes saved').waitFor();
    await expect.poll(async () => shown.getByText('Your input is kept.').count()).toBe(0);
    expect(JSON.parse((await tenant.pluginConfigs.retrieve(id)).config)).toMatchObject({
      host: 'unsaved.example',
    });
    await tenant.pluginConfigs.update(id, { name: 'Renamed elsewhere' });
    await shown.getByRole('heading', { name: 'Renamed elsewhere' }).waitFor();
  },
);

test.for([
  ['no token', async () => null],
  ['a key instead of a token', async (tenant: Tenant) => tenant.token],
  ['something else', async () => 'pct_x'],
] as const)('with %s, the page says so, and tries again', { timeout: 120_000 }, async ([, wrong]) => {
  const { tenant, issue } = await aCustomer();
  const page = await openProduct(product);
  const shown = await mountIn(page, mountOf(tenant, await wrong(tenant), await issue()));
  await shown.getByText('Your plugins cannot be shown').waitFor();
  await shown.getByRole('button', { name: 'Try again' }).click();
  await shown.getByRole('link', { name: 'Orders' }).waitFor();
});

test('a token for another project shows nothing', async () => {
  const [one, two] = [await aCustomer(), await aCustomer()];
  const page = await openProduct(product);
  const shown = await mountIn(page, mountOf(one.tenant, await two.issue()));
  await shown.getByText('This page was opened for another project.').waitFor();
  expect(await shown.getByText('Orders').count()).toBe(0);
}, 120_000);

test('a project is also found by its external id', async () => {
  const { tenant, issue } = await aCustomer();
  const { project } = await administrator(service);
  await project(tenant.projectId).update({ external_id: 'acme-corp' });
  const page = await openProduct(product);
  const shown = await mountIn(page, { ...mountOf(tenant, await issue()), project: 'ext:acme-corp' });
  await shown.getByRole('link', { name: 'Orders' }).waitFor();
}, 120_000);

test('other origins cannot frame the page', async () => {
  const { tenant, issue } = await aCustomer();
  const context = await browser().newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.goto(other.origin);
  await mountIn(page, mountOf(tenant, await issue()));
  await refused;
  expect(await page.evaluate('asked')).toBe(0);
}, 120_000);

test(
  'messages count only from the product that shows the page',
  { tags: ['long'], timeout: 120_000 },
  async () => {
    const { tenant, issue } = await aCustomer();
    const [stolen, right] = [await aCustomer(), await issue()];
    const page = await openProduct(product);
    // Another origin in the same product, and the product's own origin in another frame, send a token of somebody else.
    const hello = { type: 'plugin-config:hello', theme: { colorScheme: 'dark' }, lang: 'fr' };
    const token = { type: 'plugin-config:token', token: await stolen.issue() };
    const shown = await mountIn(page, mountOf(tenant, right));
    await shown.getByRole('link', { name: 'Orders' }).waitFor();
    for (const origin of [other.origin, product.origin]) {
      await page.evaluate(
        `new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.onload = resolve;
        frame.src = ${JSON.stringify(origin)};
        document.body.append(frame);
      })`,
      );
      const sender = page.mainFrame().childFrames().at(-1);
      await sender?.evaluate(
        `for (const message of ${JSON.stringify([hello, token])}) parent.frames[0].postMessage(message, '*')`,
      );
    }
    await shown.getByRole('link', { name: 'Orders' }).click();
    await shown.getByLabel('Host').waitFor();
    expect(await shown.locator('html').getAttribute('data-theme')).toBe('system');
    expect(await page.evaluate('asked')).toBe(1);
  },
);
