/** @module-tag long */

import { expect, test } from 'vitest';
import { sharedBrowser } from './testing/console-page.ts';
import { startExamples } from './testing/examples.ts';

const browser = sharedBrowser();
const ADDRESS = 'orders@acme.example';
const PASSWORD = 'canary-5d1e';

test('a customer signs up in the shop and configures a plugin, the host runs it, and a webhook says so', async () => {
  await using examples = await startExamples();
  const context = await browser().newContext({ viewport: { width: 1000, height: 900 } });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.goto(examples.shop);
  await page.getByLabel('Company').fill('Acme Corp');
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Open' }).click();

  const plugins = page.frameLocator('iframe[title=Plugins]');
  await plugins.getByRole('link', { name: 'Order mail' }).click();
  await plugins.getByLabel('Send to').fill('nowhere');
  await plugins.getByRole('button', { name: 'Check' }).click();
  await plugins.getByText('It is not an address.').waitFor();
  await plugins.getByLabel('Send to').fill(ADDRESS);
  await plugins.getByRole('button', { name: 'Set Password' }).click();
  await plugins.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await plugins.getByRole('button', { name: 'Check' }).click();
  await plugins.getByText('This configuration works.').waitFor();
  const form = plugins.getByRole('form', { name: 'Configuration' });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('All changes saved').waitFor();
  await plugins.getByRole('switch', { name: 'Order mail enabled' }).click();

  await expect.poll(examples.output, { timeout: 60_000 }).toMatch(/run \d+ Order mail/);
  await plugins.getByRole('link', { name: 'Log' }).click();
  await plugins.getByText(`Orders are announced to ${ADDRESS}.`).waitFor();
  await plugins.getByText('Announced an order.').first().waitFor();
  await page.getByText('Ada Lovelace: Order mail (record.updated)').first().waitFor();

  const forged = await fetch(`${examples.shop.replace('localhost', '127.0.0.1')}/webhook`, {
    method: 'POST',
    headers: {
      'webhook-id': 'a',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,AA==',
    },
    body: JSON.stringify({ type: 'record.updated', data: {} }),
  });
  expect(forged.ok).toBe(false);
  expect(examples.output()).not.toContain(PASSWORD);
  await context.close();
}, 300_000);
