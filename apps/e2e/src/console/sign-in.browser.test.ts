import { expect, test } from 'vitest';
import {
  sharedBrowser,
  expectAccessible,
  holdRequests,
  openConsole,
  openSignedIn,
  signIn,
} from '../testing/console-page.ts';
import { revokeKey } from '../testing/revoke-key.ts';
import { sharedService } from '../testing/shared-service.ts';

const service = sharedService();
const browser = sharedBrowser();

test('signing in opens the requested address, and the key is not in the page', async () => {
  const tenant = await service().tenant();
  const path = `/projects/${tenant.projectId}/plugin_configs`;
  const { page, context } = await openConsole(browser(), tenant.api, path);
  await page.getByLabel('API key').and(page.locator(':focus')).waitFor();
  await expectAccessible(page);
  await signIn(page, tenant.token);
  await page.getByRole('heading', { name: 'Plugins', exact: true }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/console${path}`);
  const reachable = await page.evaluate<string>(
    `document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.documentElement.outerHTML`,
  );
  expect(reachable).not.toContain(tenant.token);
  expect(JSON.stringify(await context.cookies())).not.toContain(tenant.token);
  expect(service().http.stdout()).not.toContain(tenant.token);
});

/** The input, as far as the test uses it. The types of the DOM are not those of Node. */
type Field = Pick<EventTarget, 'dispatchEvent'> & {
  value: string;
  readonly form: { requestSubmit(): void } | null;
};

test('a key that is submitted before the next frame is the one that was entered', async () => {
  const { page } = await openConsole(browser(), await service().http.url());
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await page.getByLabel('API key').evaluate(async (input: Field) => {
    input.value = 'pcs_entered';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    // The form renders in a microtask.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    input.form?.requestSubmit();
  });
  expect((await sent).postDataJSON()).toEqual({ key: 'pcs_entered' });
});

test('an unknown key is rejected with a reason and stays in the form', async () => {
  const { page } = await openConsole(browser(), await service().http.url());
  await page.getByLabel('API key').fill('pcs_unknown');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').innerText()).toContain('unknown');
  expect(await page.getByLabel('API key').inputValue()).toBe('pcs_unknown');
  await expectAccessible(page);
});

test('an ended session is said to have ended, before the sign-in appears', async () => {
  const tenant = await service().tenant();
  const { page } = await openSignedIn(browser(), tenant, `/projects/${tenant.projectId}/plugin_configs`);
  const check = await holdRequests(page, '**/api/session');
  await revokeKey(service(), tenant);
  await page.getByRole('link', { name: 'Alerts' }).click();
  await page.getByRole('alert').getByText('Your session has ended. Sign in again.').waitFor();
  check();
  await page.getByLabel('API key').waitFor();
});

test(
  'a revoked key ends its sessions within 15 seconds, and another key can sign in at the same address',
  { tags: ['long'] },
  async () => {
    const [first, second] = [await service().tenant(), await service().tenant()];
    const path = `/projects/${first.projectId}/plugin_configs`;
    const { page } = await openConsole(browser(), first.api, path);
    await signIn(page, first.token);
    await page.getByText('Live').waitFor();
    await revokeKey(service(), first);
    await page.getByLabel('API key').waitFor({ timeout: 15_000 });
    expect(await page.getByRole('status').first().innerText()).toContain('revoked');
    await signIn(page, second.token);
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/console${path}`);
    await page.getByRole('alert').waitFor();
  },
);
