/** @module-tag long */

import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { administrator } from '../testing/administrator.ts';
import { holdRequests, sharedBrowser, openSignedIn, violationsOf } from '../testing/console-page.ts';
import { configuredRecord } from '../testing/configured-record.ts';
import { serviceOfFile } from '../testing/running-service.ts';

// Other tests would leave errors, webhooks and runtimes on the screens of all projects.
const service = serviceOfFile();
const browser = sharedBrowser();

const PLUGIN = { id: 8, name: 'Webhook', config_schema: [{ key: 'endpoint', type: 'string' }] } as const;
const REQUEST_ID = '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f';
/** A page of 1280 × 800 pixels at a zoom of 200%. */
const ZOOMED = { width: 640, height: 400 };

interface Screen {
  readonly path: string;
  /** The request that the screen depends on. */
  readonly reads: RegExp;
  /** Text that the screen shows once the request succeeds. */
  readonly shows: string;
}

const RECORD = '/projects/P/plugin_configs/R';
const SCREENS: readonly Screen[] = [
  { path: '/', reads: /\/api\/projects\/?\?/, shows: 'created' },
  { path: '/projects/P/plugin_configs', reads: /\/plugin_configs\/?\?/, shows: 'Success (24 h)' },
  {
    path: '/projects/P/plugin_configs?deleted=true',
    reads: /deleted=true/,
    shows: 'No deleted records',
  },
  { path: '/projects/P/plugin_configs/attach', reads: /\/api\/plugins\/?\?/, shows: 'Description' },
  { path: '/projects/P/plugin_configs/activity', reads: /\/activity\/?\?/, shows: 'Endpoint' },
  { path: '/projects/P/plugin_configs/runtimes', reads: /\/runtimes/, shows: 'No runtime has reported' },
  { path: '/projects/P', reads: /\/overview/, shows: 'Latest changes' },
  { path: '/projects/P/incidents', reads: /\/incidents/, shows: 'No open incidents' },
  { path: '/projects/P/dead-letters', reads: /\/dead_letters/, shows: 'No dead letters' },
  { path: '/projects/P/alerts', reads: /\/alerts\/?\?/, shows: 'Deliveries fail' },
  { path: '/projects/P/alerts/A', reads: /\/alerts\/\d+\/?$/, shows: 'When it fires' },
  { path: '/projects/P/webhooks', reads: /\/webhooks\/?\?/, shows: 'hooks.example.com' },
  { path: '/projects/P/webhooks/W', reads: /\/webhooks\/\d+\/?$/, shows: 'No deliveries' },
  { path: '/projects/P/documents', reads: /\/configuration\/records/, shows: 'No records are managed' },
  { path: RECORD, reads: /\/plugin_configs\/\d+\/?$/, shows: 'Name and description' },
  { path: `${RECORD}/configuration`, reads: /\/plugin_configs\/\d+\/?$/, shows: 'endpoint' },
  { path: `${RECORD}/deliveries`, reads: /\/deliveries/, shows: 'No deliveries' },
  { path: `${RECORD}/logs`, reads: /\/logs\/?\?/, shows: 'No log entries yet' },
  { path: `${RECORD}/history`, reads: /\/\d+\/activity/, shows: 'config' },
  { path: `${RECORD}/history?show=revisions`, reads: /\/revisions/, shows: 'Revision' },
  { path: `${RECORD}/jobs`, reads: /\/jobs/, shows: 'No jobs yet' },
  { path: '/all/incidents', reads: /\/api\/incidents/, shows: 'No open incidents' },
  { path: '/all/errors', reads: /\/api\/errors/, shows: 'No errors' },
  { path: '/all/runtimes', reads: /\/api\/runtimes/, shows: 'No runtime has reported' },
  { path: '/all/records?plugin=8', reads: /\/plugins\/8\/records/, shows: 'Tenant' },
  { path: '/all/alerts', reads: /\/api\/alerts\/?\?/, shows: 'Runtimes fail' },
  { path: '/all/alerts/E', reads: /\/api\/alerts\/\d+\/?$/, shows: 'When it fires' },
  { path: '/all/webhooks', reads: /\/api\/webhooks/, shows: 'No webhooks yet' },
  { path: '/administration/plugins', reads: /\/api\/plugins\/?\?/, shows: 'Webhook' },
  { path: '/administration/plugins/8', reads: /\/api\/plugins\/8/, shows: 'Webhook' },
  { path: '/administration/keys', reads: /\/api\/keys/, shows: 'test key' },
  { path: '/administration/trusts', reads: /\/api\/trusts/, shows: 'No trusts yet' },
  { path: '/administration/projects', reads: /\/api\/projects\/?\?/, shows: 'Tenant' },
  { path: '/administration/audit', reads: /\/api\/audit/, shows: 'webhook' },
];
/** Forms that load no data. */
const WITHOUT_READING = ['/administration/plugins/new', '/projects/:id/alerts/new', '/all/alerts/new'];

const KNOWN = new Set([...SCREENS.map(({ path }) => shapeOf(path)), ...WITHOUT_READING]);

let api = '';
let token = '';
/** What the letters in the paths stand for. */
let ids: Readonly<Record<string, number>> = {};
beforeAll(async () => {
  const { tenant, id } = await configuredRecord(service(), PLUGIN, { endpoint: 'https://example.com' });
  const watching = await tenant.alerts.create({
    name: 'Deliveries fail',
    family: 'plugin_configs',
    signal: 'delivery_rate',
    threshold: 0.9,
    window_minutes: 60,
  });
  const { alerts } = await administrator(service());
  const rule = { family: 'plugin_configs', signal: 'runtime', window_minutes: 60 } as const;
  const everywhere = await alerts.create({ name: 'Runtimes fail', ...rule });
  const url = 'https://hooks.example.com/';
  const webhook = await tenant.webhooks.create({ url, events: ['incident.opened'] });
  await service().tenant();
  ids = { P: tenant.projectId, R: id, A: watching.id, E: everywhere.id, W: webhook.id };
  api = tenant.api;
  token = await service().issueKey(['*']);
});

test.for(SCREENS)(
  '$path shows loading, missing permission, failure and being offline, zoomed in dark mode',
  async ({ path, reads, shows }) => {
    const { page, context } = await openSignedIn(browser(), { api, token });
    await page.setViewportSize(ZOOMED);
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    const main = page.getByRole('main');
    const alert = main.getByRole('alert');
    const offline = page.getByText('You are offline');
    const address = `${api}/console${path.replace(/(?<=\/)[PRAEW](?=\/|$|\?)/g, (letter) => String(ids[letter]))}`;
    const expectNoSideScroll = async (what: string): Promise<void> => {
      expect.soft(await widthOf(page), `${what}: scrolls sideways`).toBeLessThanOrEqual(ZOOMED.width);
    };
    const isRead = ({ pathname, href }: URL): boolean => pathname.startsWith('/api/') && reads.test(href);
    const respond = await holdRequests(page, isRead, async (route) => fail(route, 403));
    await page.goto(address);
    await main.getByText(/^Loading .*…$/).waitFor();
    await expectNoSideScroll('loading');
    respond();
    await alert.getByText('Ask an administrator for access.').waitFor();
    await page.unroute(isRead);
    await page.route(isRead, async (route) => fail(route, 500));
    await page.goto(address);
    await alert.getByText('The service has failed.').waitFor();
    await alert.getByText(REQUEST_ID).waitFor();
    expect.soft(await violationsOf(page)).toEqual([]);
    await expectNoSideScroll('failed');
    await page.unroute(isRead);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await main.getByText(shows).first().waitFor();
    await alert.waitFor({ state: 'detached' });
    await expectNoSideScroll('shown');
    expect.soft(await violationsOf(page)).toEqual([]);
    expect.soft((await linksOf(page)).map(shapeOf).filter((shape) => !KNOWN.has(shape))).toEqual([]);
    await context.setOffline(true);
    await offline.waitFor();
    await context.setOffline(false);
    await offline.waitFor({ state: 'detached' });
    await main.getByText(shows).first().waitFor();
  },
);

/** Returns the console addresses that a page links to. */
async function linksOf(page: Page): Promise<readonly string[]> {
  const links = await page.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  return links.flatMap((href) => /^\/console(\/[^?#]*)/.exec(href ?? '')?.[1] ?? []);
}

/** Returns the screen of an address, ignoring its project, family, record and plugin. */
function shapeOf(path: string): string {
  return path
    .replace(/\?.*/, '')
    .replace('pipeline_transformation_configs', 'plugin_configs')
    .replace(/\/[PRAEW](?=\/|$)|\/\d+/g, '/:id');
}

async function widthOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth');
}

async function fail(route: Route, status: 403 | 500): Promise<void> {
  const body =
    status === 403
      ? { type: 'authentication_error', code: 'permission_denied', detail: 'Not allowed.', attr: null }
      : { type: 'server_error', code: 'error', detail: 'The service has failed.', attr: null };
  await route.fulfill({ status, headers: { 'x-request-id': REQUEST_ID }, json: body });
}
