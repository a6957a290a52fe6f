import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { test, type Service } from '../testing/service.fixture.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const browserPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find(isExecutable);

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function openDocs(browser: Browser, { url }: Service): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => request.url().startsWith(`${url}/`) || complaints.push(request.url()));
  await page.goto(`${url}/docs`);
  return { page, complaints };
}

if (browserPath === undefined && process.env['CI'] === undefined) {
  process.stderr.write(
    'The page at /docs was not tried in a browser: install chromium to have that tested too.\n',
  );
} else {
  test('in a browser, the page shows the endpoints, takes a key and tries a request', async ({
    service,
    project,
  }) => {
    const { token } = await service.issueKey();
    const browser = await chromium.launch({
      ...(browserPath !== undefined && { executablePath: browserPath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-sync',
      ],
    });
    try {
      const { page, complaints } = await openDocs(browser, service);
      await page.getByRole('button', { name: 'Authorize', exact: true }).first().click();
      await page.locator('.auth-container input').fill(token);
      await page.locator('.auth-btn-wrapper .authorize').click();
      await page.locator('.auth-btn-wrapper .btn-done').click();

      const operation = page.locator('[id$="list_plugin_configs"]');
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('tr[data-param-name="project_id"] input').fill(String(project.id));
      await operation.getByRole('button', { name: 'Execute' }).click();
      await expect.poll(() => operation.locator('.live-responses-table').innerText()).toContain('"count": 0');
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });
}
