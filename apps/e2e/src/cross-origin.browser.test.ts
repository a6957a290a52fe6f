import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';
import { chromiumOptions } from '../../../tools/chromium.ts';
import { runService } from './testing/running-service.ts';
import type { Tenant } from './testing/tenant.ts';

const CLIENT = fileURLToPath(import.meta.resolve('@plugin-config/client'));

/** The page of a dashboard: follows a log, logs itself, and changes a record. */
const SCRIPT = `
  import { logSender, pluginConfigClient } from '/client.js';
  globalThis.seen = [];
  globalThis.connections = 0;
  globalThis.start = async ({ api, ingestion, token, projectId, id, attempts }) => {
    const retry = { attempts };
    const configs = pluginConfigClient({ url: api, key: token, retry }).project(projectId).pluginConfigs;
    const follow = async () => {
      const events = configs.streamLogs(id, {}, { onOpen: () => connections++ });
      for await (const { event, data } of events) seen.push(event === 'log' ? data.message : event);
    };
    follow().catch((error) => seen.push(String(error)));
    globalThis.log = (message) => logSender({ url: ingestion, key: token }).logger(id).info(message);
    globalThis.rename = (name) => configs.update(id, () => ({ name }));
    globalThis.create = (plugin) => configs.create({ plugin });
  };
  globalThis.isReady = true;
`;

/** Serves the page at an origin of its own. */
async function servePage(): Promise<string> {
  const bundle = await rolldown({ input: CLIENT });
  const { output } = await bundle.generate();
  const server = createServer(({ url }, answer) => {
    const isClient = url === '/client.js';
    answer.setHeader('content-type', isClient ? 'text/javascript' : 'text/html');
    answer.end(isClient ? output[0].code : `<script type="module">${SCRIPT}</script>`);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => closed(server));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

interface Opened {
  readonly tenant: Tenant;
  readonly id: number;
  /** How often the client tries a request. */
  readonly attempts: number;
}

async function openPage(origin: string, { tenant, id, attempts }: Opened): Promise<Page> {
  const { api, ingestion, token, projectId } = tenant;
  const browser = await chromium.launch(chromiumOptions());
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(origin);
  await page.waitForFunction('globalThis.isReady');
  await page.evaluate(`start(${JSON.stringify({ api, ingestion, token, projectId, id, attempts })})`);
  return page;
}

const seenBy = (page: Page): Promise<readonly string[]> => page.evaluate('seen');

test('a page of an allowed origin follows a log over a restart of the HTTP app, logs, and changes records', async () => {
  const origin = await servePage();
  await using service = await runService({ CORS_ORIGINS: origin });
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const page = await openPage(origin, { tenant, id, attempts: 20 });
  await page.waitForFunction('connections === 1');
  await tenant.push([{ plugin_config_id: id, message: 'pushed' }]);
  await page.evaluate(`log('logged by the page')`);
  await page.waitForFunction('seen.length === 2');

  service.http.child.kill('SIGKILL');
  await service.http.exited;
  await tenant.push([{ plugin_config_id: id, message: 'pushed meanwhile' }]);
  await service.run('http', { PORT: new URL(tenant.api).port }).url();
  await page.waitForFunction('seen.length === 3');
  expect(await seenBy(page)).toEqual(['pushed', 'logged by the page', 'pushed meanwhile']);
  expect(await page.evaluate('connections')).toBe(2);

  expect(await page.evaluate(`rename('Renamed by the page')`)).toMatchObject({ name: 'Renamed by the page' });
  expect(await page.evaluate('create(8)')).toMatchObject({ plugin: 8 });
});

test('a page of another origin can read nothing', async () => {
  const origin = await servePage();
  await using service = await runService({ CORS_ORIGINS: 'https://app.example.com' });
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const page = await openPage(origin, { tenant, id, attempts: 1 });
  const push = `fetch('${tenant.ingestion}/ingest', { method: 'POST', headers: { authorization: 'Bearer x' } })`;
  const outcomes = ['rename("x")', 'create(8)', push].map((call) =>
    page.evaluate(`${call}.then(() => 'done', () => 'refused')`),
  );
  expect(await Promise.all(outcomes)).toEqual(['refused', 'refused', 'refused']);
  await page.waitForFunction('seen.length === 1');
  expect(await seenBy(page)).toEqual([expect.stringContaining('could not be reached')]);
  expect(await page.evaluate('connections')).toBe(0);
  expect((await tenant.pluginConfigs.list().page()).results).toMatchObject([{ id, name: null }]);
});
