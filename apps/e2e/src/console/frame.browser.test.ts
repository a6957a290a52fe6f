import { expect, test } from 'vitest';
import { sharedBrowser, expectAccessible, openSignedIn } from '../testing/console-page.ts';
import { sharedService } from '../testing/shared-service.ts';

const service = sharedService();
const browser = sharedBrowser();

test('on a narrow page the header is one row, and its menu opens by keyboard', async () => {
  const tenant = await service().tenant();
  const { page } = await openSignedIn(browser(), tenant, `/projects/${tenant.projectId}/plugin_configs`);
  const main = page.getByRole('main');
  const link = page.getByRole('link', { name: 'Documents' });
  const menu = page.getByRole('button', { name: 'Menu' });
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(async () => link.isVisible()).toBe(false);
    expect((await main.boundingBox())?.y).toBeLessThan(64);
    await menu.press('Enter');
    await link.waitFor();
    const { x, width: shown } = (await page.locator('#menu').boundingBox()) ?? { x: -1, width: 0 };
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + shown).toBeLessThanOrEqual(width);
    await expectAccessible(page);
    await page.setViewportSize({ width, height: 800 });
    await page.keyboard.press('Escape');
    await link.waitFor({ state: 'hidden' });
  }
  await menu.press('Enter');
  await page.keyboard.press('Tab');
  await link.press('Enter');
  await page.getByRole('heading', { name: 'Documents' }).waitFor();
  await link.waitFor({ state: 'hidden' });
});
