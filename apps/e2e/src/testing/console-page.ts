import axe from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page, type Route } from 'playwright-core';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { chromiumOptions } from '../../../../tools/chromium.ts';
import { RUNS_LONG_TESTS } from '../../../../tools/tiers.ts';
import type { Tenant } from './tenant.ts';

/** A page of the console in a separate browser session. */
export interface ConsolePage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors that the page threw or printed, including policy violations, and requests to other origins. */
  readonly problems: string[];
}

/** The first tier audits one look, since the tests of the colours check the contrast in both themes. */
const LOOKS = [
  { colorScheme: 'light', width: 1280, isAudited: true },
  { colorScheme: 'dark', width: 320, isAudited: RUNS_LONG_TESTS },
] as const;
const HEIGHT = 800;
/** Generous for a busy machine. It does not slow down tests that pass. */
const TIMEOUT_MS = 90_000;
const AUDITED: axe.RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
};
const AUDIT = `axe.run(${JSON.stringify(AUDITED)})`;
/** The message that the browser prints for each error response, even if the page expects it. */
const FAILED_REQUEST = 'Failed to load resource';

/** Closed when the process that runs the test files exits. */
let shared: Browser | undefined;

/** Returns the browser that all test files of a process share. Each page has its own context. */
export function sharedBrowser(): () => Browser {
  beforeAll(async () => {
    if (shared?.isConnected() !== true) shared = await chromium.launch(chromiumOptions());
  });
  return () => {
    if (shared === undefined) throw new Error('The browser runs only during the tests.');
    return shared;
  };
}

/** Opens a page of the console; `path` is relative to it. The test fails if the page has problems. */
export async function openConsole(browser: Browser, url: string, path = '/'): Promise<ConsolePage> {
  const opened = await openPage(browser, [url]);
  await opened.page.goto(`${url}/console${path}`);
  return opened;
}

/** Opens an empty page. The test fails if it has problems, such as a request to none of the origins. */
export async function openPage(
  browser: Browser,
  origins: readonly string[],
  viewport = { width: 1280, height: HEIGHT },
): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !text.startsWith(FAILED_REQUEST)) problems.push(text);
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    if (!origins.some((origin) => request.url().startsWith(`${origin}/`))) problems.push(request.url());
  });
  onTestFinished(async () => {
    await context.close();
    expect(problems).toEqual([]);
  });
  return { page, context, problems };
}

/** Opens a page of the console, signed in without using the form. */
export async function openSignedIn(
  browser: Browser,
  { api, token }: { readonly api: string; readonly token: string },
  path = '/',
): Promise<ConsolePage> {
  const opened = await openPage(browser, [api]);
  const response = await opened.context.request.post(`${api}/api/session`, {
    headers: { origin: api, 'sec-fetch-site': 'same-origin' },
    data: { key: token },
  });
  expect(response.ok()).toBe(true);
  await opened.page.goto(`${api}/console${path}`);
  await opened.page.getByRole('button', { name: 'Sign out' }).waitFor();
  return opened;
}

/** Opens a screen of a plugin config with the key of its tenant. */
export async function openRecord(
  browser: Browser,
  tenant: Tenant,
  id: number,
  screen = '',
): Promise<ConsolePage> {
  return openSignedIn(browser, tenant, `/projects/${tenant.projectId}/plugin_configs/${id}${screen}`);
}

export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('API key').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Holds the requests to a URL until the returned function is called. Then they go on, unless `end` does something else. */
export async function holdRequests(
  page: Page,
  url: string | ((url: URL) => boolean),
  end: (route: Route) => Promise<void> = async (route) => route.continue(),
): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await end(route);
  });
  return resolve;
}

/** Checks the current screen: wide in light mode, and without scrolling sideways at 320 pixels in dark mode. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const { colorScheme, width, isAudited } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: HEIGHT });
    if (isAudited) expect(await violationsOf(page), `${colorScheme}, ${width} pixels`).toEqual([]);
    expect(
      await page.evaluate<number>('document.documentElement.scrollWidth'),
      `width of the content, ${colorScheme}`,
    ).toBeLessThanOrEqual(width);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: LOOKS[0].width, height: HEIGHT });
}

/**
 * Returns the findings of axe for a page or a frame. Running it inside the page is four times faster than through its driver.
 */
export async function violationsOf(page: Pick<Page, 'evaluate'>): Promise<readonly string[]> {
  if (await page.evaluate<boolean>('window.axe === undefined')) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>(AUDIT);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
