/** @module-tag long */

import { chromium, type Browser, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { chromiumOptions } from '../../../../tools/chromium.ts';
import { test, type Service } from '../testing/service.fixture.ts';

async function openDocs(browser: Browser, { url }: Service): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => request.url().startsWith(`${url}/`) || problems.push(request.url()));
  await page.goto(`${url}/docs`);
  return { page, problems };
}

test('the page shows the endpoints, accepts a key and sends a request', async ({ service, project }) => {
  const { token } = await service.issueKey();
  const browser = await chromium.launch(chromiumOptions());
  try {
    const { page, problems } = await openDocs(browser, service);
    await page.getByRole('button', { name: 'Authorize', exact: true }).first().click();
    await page.locator('.auth-container input').fill(token);
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.auth-btn-wrapper .btn-done').click();

    const operation = page.locator('[id$="list_plugin_configs"]');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('tr[data-param-name="project_id"] input').fill(String(project.id));
    await operation.getByRole('button', { name: 'Execute' }).click();
    await expect.poll(() => operation.locator('.live-responses-table').innerText()).toContain('"count": 0');
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
  }
});
