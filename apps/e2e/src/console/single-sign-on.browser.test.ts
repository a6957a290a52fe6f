/** @module-tag long */

import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../../tools/free-port.ts';
import { expectAccessible, sharedBrowser } from '../testing/console-page.ts';
import { identityProvider } from '../testing/identity-provider.ts';
import { runService } from '../testing/running-service.ts';

const browser = sharedBrowser();

const CLIENT = { clientId: 'console', clientSecret: 'secret-of-the-client' };
const PEOPLE = {
  grace: { name: 'Grace Hopper', groups: ['staff', 'admins'] },
  ada: { name: 'Ada Lovelace', groups: ['support'] },
  eve: { name: 'Eve', groups: ['visitors'] },
};
const ROLES = {
  claim: 'groups',
  roles: [
    { value: 'admins', scopes: ['*'], project_ids: null },
    { value: 'support', scopes: ['plugin:read'], project_ids: null },
    { value: 'visitors of nothing', scopes: ['plugin:read'], project_ids: null },
  ],
};

async function newPage(to: Browser): Promise<Page> {
  const context = await to.newContext();
  onTestFinished(() => context.close());
  return context.newPage();
}

/** Signs in at the provider, and agrees that the service gets the claims. */
async function signInAs(page: Page, person: keyof typeof PEOPLE): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with 127.0.0.1' }).click();
  await page.locator('input[name=login]').fill(person);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('people sign in with their identity provider, sign out, and are signed out by an administrator', async () => {
  const port = await freePort();
  // Another site than that of the provider.
  const url = `http://localhost:${port}`;
  const redirectUri = `${url}/api/session/oidc/callback`;
  await using provider = await identityProvider({ ...CLIENT, redirectUri }, PEOPLE);
  await using service = await runService();
  const http = service.run('http', {
    PORT: String(port),
    PUBLIC_URL: url,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.clientId,
    OIDC_CLIENT_SECRET: CLIENT.clientSecret,
    OIDC_ROLES: JSON.stringify(ROLES),
    OIDC_ALLOW_ADDRESSES: '127.0.0.1',
    SIGN_IN: 'oidc',
  });
  const { projectId } = await service.tenant();
  const path = `/console/projects/${projectId}/plugin_configs?search=a`;

  await http.url();
  const ofAda = await newPage(browser());
  await ofAda.goto(url + path);
  await ofAda.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await ofAda.getByLabel('API key').count()).toBe(0);
  await expectAccessible(ofAda);
  await signInAs(ofAda, 'ada');
  await ofAda.getByText('Ada Lovelace').waitFor();
  expect(new URL(ofAda.url()).pathname + new URL(ofAda.url()).search).toBe(path);
  expect(await ofAda.evaluate<string>('document.cookie')).toBe('');

  const ofEve = await newPage(browser());
  await ofEve.goto(`${url}/console`);
  await signInAs(ofEve, 'eve');
  await ofEve.getByRole('heading', { name: 'You are not signed in' }).waitFor();
  await ofEve.getByText('No role matches your claim groups.').waitFor();
  expect(await ofEve.content()).not.toContain('visitors');
  await expectAccessible(ofEve);
  await ofEve.getByRole('link', { name: 'Back to the console' }).click();
  await ofEve.getByRole('link', { name: 'Sign in with' }).waitFor();

  const ofGrace = await newPage(browser());
  await ofGrace.goto(`${url}/console/administration/keys`);
  await signInAs(ofGrace, 'grace');
  await ofGrace.getByRole('button', { name: 'End sessions' }).click();
  await ofGrace.getByLabel('Subject (sub)').fill('ada');
  await expectAccessible(ofGrace);
  await ofGrace.getByRole('dialog').getByRole('button', { name: 'End sessions' }).click();
  await ofGrace.getByText('The user has to sign in again.').waitFor();
  await ofAda.getByRole('link', { name: 'Sign in with' }).waitFor({ timeout: 15_000 });
  expect(await ofAda.getByRole('status').first().innerText()).toContain('Your session has ended');

  await ofGrace.getByRole('link', { name: 'Audit log' }).click();
  await ofGrace.getByText('ended the sessions of the user').waitFor();
  await ofGrace.getByRole('button', { name: 'Sign out' }).click();
  await ofGrace.getByRole('link', { name: 'Sign in with' }).waitFor();
  expect(http.stdout()).not.toMatch(/secret-of-the-client|code=/);
});
