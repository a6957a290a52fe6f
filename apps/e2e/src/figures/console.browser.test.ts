import { setTimeout } from 'node:timers/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser, openSignedIn } from '../testing/console-page.ts';
import { fillFamily } from '../testing/fill-family.ts';
import { serviceOfFile } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

// Takes the best of several runs, since other load only makes a run slower.

const RUNS = 5;
const FRAMES = 300;
const SCROLLED_BY = 300;
const FLOOD_SECONDS = 180;
/** After this long, the log has as many entries as the page holds. */
const HEAP_SECONDS = 20;

const service = serviceOfFile();
const browser = sharedBrowser();

test('with nothing cached, at 10 Mbit/s and on a slow processor, a screen can be used within a second', async () => {
  const tenant = await service().tenant();
  await fillFamily(service(), tenant, { records: 200 });
  const [id] = await service().rows<{ id: number }>('select min(id)::integer as id from config_record');
  const { context } = await openSignedIn(browser(), tenant);
  const signedIn = { storageState: await context.storageState() };
  const screens = [
    { name: 'signing in', path: '', selector: 'form input', options: {} },
    { name: 'the pipeline', path: '', selector: '.record-rows [role=switch]:enabled', options: signedIn },
    { name: 'a record', path: `/${id?.id}`, selector: 'main form', options: signedIn },
  ];
  for (const { name, path, selector, options } of screens) {
    const durationMs: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      durationMs.push(await millisecondsUntil(tenant, path, selector, options, slowDown));
    }
    report(`milliseconds until ${name} can be used`, durationMs);
    expect(Math.min(...durationMs)).toBeLessThan(1000);
  }
});

/** Makes a page as slow as a phone on a mobile network. */
async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const bytes = 10e6 / 8;
  const network = { offline: false, latency: 40, downloadThroughput: bytes, uploadThroughput: bytes };
  await devtools.send('Network.emulateNetworkConditions', network);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

test('ten thousand records scroll at 50 frames a second', async () => {
  const tenant = await service().tenant();
  await fillFamily(service(), tenant, { records: 10_000 });
  const { page } = await openSignedIn(browser(), tenant, `/projects/${tenant.projectId}/plugin_configs`);
  await page.getByRole('table').getByRole('link').first().waitFor();
  const p95: number[] = [];
  const p50: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const frames = await frameTimes(page);
    p95.push(frames[Math.floor(FRAMES * 0.95)] ?? 0);
    p50.push(frames[FRAMES / 2] ?? 0);
  }
  report('median milliseconds between frames', p50);
  report('95th percentile', p95);
  expect(Math.min(...p95)).toBeLessThanOrEqual(20);
});

test('a link opens its entry in a log of a million within a second', async () => {
  const tenant = await service().tenant();
  const id = await tenant.attach();
  const start = Date.now() - 1_000_000;
  for (let batch = 0; batch < 200; batch++) {
    const lines = Array.from({ length: 5000 }, (_, index) => ({
      plugin_config_id: id,
      type: 'INFO',
      timestamp: new Date(start + batch * 5000 + index).toISOString(),
      message: `Entry ${batch * 5000 + index}`,
    }));
    expect((await tenant.push(lines)).body.stored).toBe(lines.length);
  }
  const around = { before: new Date(start + 500_001).toISOString(), limit: 1 };
  const [entry] = (await tenant.pluginConfigs.logs(id, around).page()).results;
  const { context } = await openSignedIn(browser(), tenant);
  const signedIn = { storageState: await context.storageState() };
  const durationMs: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    durationMs.push(
      await millisecondsUntil(tenant, `/${id}/logs?entry=${entry?.id}`, '.log-row[aria-current]', signedIn),
    );
  }
  report('milliseconds until the entry of a link is shown', durationMs);
  expect(Math.min(...durationMs)).toBeLessThan(1000);
});

test(
  'a thousand log entries a second for three minutes neither grow memory nor block the page for long',
  async () => {
    const tenant = await service().tenant();
    const id = await tenant.attach();
    const { page, context } = await openSignedIn(
      browser(),
      tenant,
      `/projects/${tenant.projectId}/plugin_configs/${id}/logs`,
    );
    await page.getByText('Following').waitFor();
    await page.evaluate(`window.tasks = [0]; new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.tasks.push(duration);
  }).observe({ type: 'longtask' })`);
    const devtools = await context.newCDPSession(page);
    const heap = async (): Promise<number> => {
      await devtools.send('HeapProfiler.collectGarbage');
      return (await devtools.send('Runtime.getHeapUsage')).usedSize / 1e6;
    };
    const heaps: number[] = [];
    const longest: number[] = [];
    for (let second = 1; second <= FLOOD_SECONDS; second++) {
      const next = performance.now() + 1000;
      const lines = Array.from({ length: 1000 }, (_, index) => ({
        plugin_config_id: id,
        type: 'INFO',
        message: `Entry ${index} of second ${second}`,
      }));
      expect((await tenant.push(lines)).body.stored).toBe(lines.length);
      await setTimeout(Math.max(0, next - performance.now()));
      if (second % HEAP_SECONDS !== 0) continue;
      // Read before `heap()`, whose garbage collection is a long task that the page does not cause.
      longest.push(await page.evaluate<number>('Math.max(...window.tasks)'));
      heaps.push(await heap());
      await page.evaluate('window.tasks = [0]');
    }
    await page.getByText(`of second ${FLOOD_SECONDS}`).first().waitFor();
    report(`megabytes of the heap every ${HEAP_SECONDS} seconds`, heaps);
    report('milliseconds of the longest task in them', longest);
    expect(heaps.at(-1)).toBeLessThan(1.3 * (heaps[0] ?? 0));
    expect(Math.max(...longest)).toBeLessThan(200);
  },
  2 * FLOOD_SECONDS * 1000,
);

/** Opens a page in a new browser session and measures the time until something is shown. */
async function millisecondsUntil(
  { api, projectId }: Tenant,
  path: string,
  selector: string,
  options: BrowserContextOptions,
  prepare: (page: Page) => Promise<void> = async () => undefined,
): Promise<number> {
  const context = await browser().newContext(options);
  const page = await context.newPage();
  await prepare(page);
  await page.addInitScript(`new MutationObserver((_, observer) => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) return;
    observer.disconnect();
    requestAnimationFrame(() => { window.shownAt = performance.now(); });
  }).observe(document, { childList: true, subtree: true, attributes: true })`);
  await page.goto(`${api}/console/projects/${projectId}/plugin_configs${path}`);
  const shownAt = async (): Promise<number> => page.evaluate<number>('window.shownAt ?? 0');
  await expect.poll(shownAt, { timeout: 20_000 }).toBeGreaterThan(0);
  const durationMs = await shownAt();
  await context.close();
  return durationMs;
}

/** Returns the sorted times between frames while the list scrolls. */
async function frameTimes(page: Page): Promise<readonly number[]> {
  return page.evaluate<number[]>(`(async () => {
    const list = document.querySelector('.record-rows');
    list.scrollTop = 0;
    await new Promise(requestAnimationFrame);
    const frames = [];
    let last = await new Promise(requestAnimationFrame);
    for (let frame = 0; frame < ${FRAMES}; frame++) {
      list.scrollTop += ${SCROLLED_BY};
      const now = await new Promise(requestAnimationFrame);
      frames.push(now - last);
      last = now;
    }
    return frames.sort((a, b) => a - b);
  })()`);
}

function report(what: string, figures: readonly number[]): void {
  const all = figures.map((one) => one.toFixed(0)).join(' ');
  process.stdout.write(`${what}: ${all}\n`);
}
