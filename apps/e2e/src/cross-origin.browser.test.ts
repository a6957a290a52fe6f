/** @module-tag long */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expectGuarantees } from '@plugin-config/testing';
import { chromium, type Browser, type Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumOptions } from '../../../tools/chromium.ts';
import { runService, type RunningService } from './testing/running-service.ts';
import type { Tenant } from './testing/tenant.ts';

const CLIENT = fileURLToPath(import.meta.resolve('@plugin-config/client'));

/** A dashboard page that follows a log, writes to it, and changes a record. */
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

interface ServedPage {
  readonly origin: string;
  readonly server: Server;
}

/** Serves the page at a separate origin. */
async function servePage(): Promise<ServedPage> {
  const bundle = await rolldown({ input: CLIENT });
  const { output } = await bundle.generate();
  const server = createServer(({ url }, response) => {
    const isClient = url === '/client.js';
    response.setHeader('content-type', isClient ? 'text/javascript' : 'text/html');
    response.end(isClient ? output[0].code : `<script type="module">${SCRIPT}</script>`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function closed({ server }: ServedPage): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

let pages: { readonly allowed: ServedPage; readonly other: ServedPage };
let service: RunningService;
let browser: Browser;

beforeAll(async () => {
  pages = { allowed: await servePage(), other: await servePage() };
  service = await runService({ CORS_ORIGINS: pages.allowed.origin });
  browser = await chromium.launch(chromiumOptions());
});

afterAll(async () => {
  await browser.close();
  await service[Symbol.asyncDispose]();
  await Promise.all(Object.values(pages).map(closed));
});
interface Opened {
  readonly tenant: Tenant;
  readonly id: number;
  readonly attempts: number;
}

async function openPage({ origin }: ServedPage, { tenant, id, attempts }: Opened): Promise<Page> {
  const { api, ingestion, token, projectId } = tenant;
  const page = await browser.newPage();
  await page.goto(origin);
  await page.waitForFunction('globalThis.isReady');
  await page.evaluate(`start(${JSON.stringify({ api, ingestion, token, projectId, id, attempts })})`);
  return page;
}

const seenBy = (page: Page): Promise<readonly string[]> => page.evaluate('seen');

test('a page from an allowed origin follows a log across a restart, writes logs, and changes records', async () => {
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const page = await openPage(pages.allowed, { tenant, id, attempts: 20 });
  await page.waitForFunction('connections === 1');
  await tenant.push([{ plugin_config_id: id, message: 'pushed' }]);
  await page.evaluate(`log('logged by the page')`);
  await page.waitForFunction('seen.length === 2');

  await service.end('http');
  await tenant.push([{ plugin_config_id: id, message: 'pushed later' }]);
  await service.restart('http');
  await page.waitForFunction('seen.length === 3');
  expectGuarantees(await seenBy(page), ['pushed', 'logged by the page', 'pushed later']);
  expect(await page.evaluate('connections')).toBe(2);

  expect(await page.evaluate(`rename('Renamed by the page')`)).toMatchObject({ name: 'Renamed by the page' });
  expect(await page.evaluate('create(8)')).toMatchObject({ plugin: 8 });
});

test('a page from another origin cannot read anything', async () => {
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const page = await openPage(pages.other, { tenant, id, attempts: 1 });
  const push = `fetch('${tenant.ingestion}/ingest', { method: 'POST', headers: { authorization: 'Bearer x' } })`;
  const outcomes = ['rename("x")', 'create(8)', push].map((call) =>
    page.evaluate(`${call}.then(() => 'done', () => 'rejected')`),
  );
  expect(await Promise.all(outcomes)).toEqual(['rejected', 'rejected', 'rejected']);
  await page.waitForFunction('seen.length === 1');
  expect(await seenBy(page)).toEqual([expect.stringContaining('could not be reached')]);
  expect(await page.evaluate('connections')).toBe(0);
  expect((await tenant.pluginConfigs.list().page()).results).toMatchObject([{ id, name: null }]);
});
