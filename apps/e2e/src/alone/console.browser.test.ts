/** @module-tag long */

import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { sharedBrowser, openSignedIn } from '../testing/console-page.ts';
import { fillFamily } from '../testing/fill-family.ts';
import { serviceOfFile } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const service = serviceOfFile();
const browser = sharedBrowser();
// Tests in other files measure memory and time, so this one runs alone.
afterAll(async () => browser().close());

const PUSHED = 200;

async function open(tenant: Tenant, path = ''): Promise<Page> {
  const { page } = await openSignedIn(
    browser(),
    tenant,
    `/projects/${tenant.projectId}/plugin_configs${path}`,
  );
  return page;
}

const entriesOf = (id: number, first: number) =>
  Array.from({ length: PUSHED }, (_, index) => ({
    plugin_config_id: id,
    type: 'INFO',
    message: `Entry ${first + index}.`,
  }));

test('of ten thousand records only the visible ones are rendered, and scrolling never blocks the page for long', async () => {
  const tenant = await service().tenant();
  await fillFamily(service(), tenant, { records: 10_000 });
  const page = await open(tenant);
  const table = page.getByRole('table');
  await table.getByRole('link').first().waitFor();
  expect(await table.getAttribute('aria-rowcount')).toBe('10001');
  const { frames, rows } = await page.evaluate<{ frames: number[]; rows: number }>(`(async () => {
    const list = document.querySelector('.record-rows');
    const frames = [];
    let [last, rows] = [performance.now(), 0];
    for (let i = 0; i < 120; i++) {
      list.scrollTop += i < 100 ? 300 : 20_000;
      await new Promise(requestAnimationFrame);
      frames.push(performance.now() - last);
      last = performance.now();
      rows = Math.max(rows, list.querySelectorAll('[role=row]').length);
    }
    return { frames, rows };
  })()`);
  expect(Math.max(...frames)).toBeLessThan(1000);
  expect(rows).toBeLessThan(60);
  await page.evaluate(`document.querySelector('.record-rows').scrollTop = 1e9`);
  const last = table.getByRole('row').last();
  await expect.poll(async () => last.getAttribute('aria-rowindex')).toBe('10001');
  expect(await last.getByRole('cell').nth(2).innerText()).toBe('10000');
});

test('the page stays small and responsive with 1,000 log entries a second', async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  const page = await open(tenant, `/${id}/logs`);
  await page.getByRole('status').getByText('Following').waitFor();
  const heap = async (): Promise<number> => {
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    await session.detach();
    return usedSize;
  };
  let sent = 0;
  let rows = 0;
  const responses: number[] = [];
  const sizes: number[] = [];
  for (let second = 0; second < 20; second += 1) {
    const due = Date.now() + 1000;
    for (let part = 0; part < 5; part += 1) {
      await tenant.push(entriesOf(id, sent));
      sent += PUSHED;
    }
    const before = performance.now();
    await page.getByLabel('Search messages').fill(`${second}`);
    responses.push(performance.now() - before);
    rows = Math.max(rows, await page.locator('.log-row').count());
    if (second >= 12) sizes.push(await heap());
    while (Date.now() < due) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await page.getByText(`Entry ${sent - 1}.`).waitFor();
  expect(rows).toBeLessThan(150);
  expect(responses.toSorted((a, b) => a - b)[10]).toBeLessThan(1000);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(20_000_000);
});
