import { expect, test } from 'vitest';
import { administrator } from '../testing/administrator.ts';
import { expectAccessible, openSignedIn, sharedBrowser } from '../testing/console-page.ts';
import { sharedService } from '../testing/shared-service.ts';

const service = sharedService();
const browser = sharedBrowser();

test('runtimes show what they run and could not apply', async () => {
  const tenant = await service().tenant();
  const { pluginConfigs, projectId } = tenant;
  const { id } = await pluginConfigs.create({ plugin: 7, name: 'GeoIP', enabled: true });
  const { version } = await pluginConfigs.runtime();
  const path = `/projects/${projectId}/plugin_configs/runtimes`;
  const { page } = await openSignedIn(browser(), tenant, path);
  await page.getByRole('heading', { name: 'No runtime has reported' }).waitFor();
  await page.getByText(`--scope plugin_runtime --project ${projectId}`).waitFor();
  await page.setViewportSize({ width: 320, height: 800 });
  const text = await page.getByRole('region', { name: 'Command' }).boundingBox();
  const copy = await page.getByRole('button', { name: 'Copy command' }).boundingBox();
  expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual(copy?.x ?? 0);

  await pluginConfigs.reportRuntime('eu-1', { version, status: 'applied', labels: { region: 'eu' } });
  const error = 'One record failed';
  const failed = [{ id, error: 'The database has expired' }];
  await pluginConfigs.reportRuntime('us-1', { version, status: 'failed', error, failed });
  await pluginConfigs.reportRuntime('us-2', { version: 'older', status: 'applied' });
  await pluginConfigs.reportRuntime('gone', { version, status: 'applied' });
  await service().rows(
    `update runtime_instance set last_seen_at = now() - interval '130 minutes' where project_id = $1 and instance = 'gone'`,
    [projectId],
  );
  const { feed } = await administrator(service());
  const { cursor } = await feed.retrieve('plugin_configs');
  await feed.report('plugin_configs', 'us-1', { cursor, status: 'applied' });
  await page.reload();
  await page.getByText('4 of 5 online, 1 behind, 1 failed').waitFor();
  const rows = page.locator('.runtimes > li');
  const host = rows.filter({ hasText: 'Several projects' });
  const row = (instance: string) => rows.filter({ hasText: instance, hasNotText: 'Several projects' });
  await host.filter({ hasText: 'us-1' }).getByText('Online, running the current version').waitFor();
  await row('eu-1').getByText('Online, running the current version').waitFor();
  await row('eu-1').getByText('region: eu').waitFor();
  await row('us-1').getByText('Online, could not apply 1 record of the current version').waitFor();
  await row('us-1').getByText(error).waitFor();
  await row('us-2').getByText('Online, running an older version').waitFor();
  await row('gone').getByText('seen 2 hours ago').waitFor();
  await expectAccessible(page);

  await row('us-1').getByRole('link', { name: 'GeoIP' }).click();
  const failures = page.getByRole('region', { name: 'Failing runtimes' });
  await failures.getByText('The database has expired').waitFor();
  await failures.getByRole('link', { name: 'us-1' }).click();
  await row('us-1').waitFor();
});
