/** @module-tag long */

import { expectGuarantees } from '@plugin-config/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sharedBrowser } from './testing/console-page.ts';
import { servePage, type ProductPage } from './testing/product-page.ts';
import { runService, type RunningService } from './testing/running-service.ts';
import type { Tenant } from './testing/tenant.ts';

const CLIENT = import.meta.resolve('@plugin-config/client');

/** A dashboard page that follows a log, writes to it, and changes a record. */
const SCRIPT = `
  import { logSender, pluginConfigClient } from '/bundle.js';
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

const browser = sharedBrowser();
let pages: { readonly allowed: ProductPage; readonly other: ProductPage };
let service: RunningService;

beforeAll(async () => {
  const serve = () => servePage(CLIENT, `<script type="module">${SCRIPT}</script>`);
  pages = { allowed: await serve(), other: await serve() };
  service = await runService({ CORS_ORIGINS: pages.allowed.origin });
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await Promise.all(Object.values(pages).map((page) => page[Symbol.asyncDispose]()));
});

interface Opened {
  readonly tenant: Tenant;
  readonly id: number;
  readonly attempts: number;
}

async function openPage({ origin }: ProductPage, { tenant, id, attempts }: Opened): Promise<Page> {
  const { api, ingestion, token, projectId } = tenant;
  const page = await browser().newPage();
  onTestFinished(() => page.close());
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
