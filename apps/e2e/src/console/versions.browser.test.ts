import { expect, test } from 'vitest';
import { administrator } from '../testing/administrator.ts';
import { expectAccessible, openSignedIn, sharedBrowser } from '../testing/console-page.ts';
import { sharedService } from '../testing/shared-service.ts';

const service = sharedService();
const browser = sharedBrowser();

/** The counts are over all tenants of the shared service, and no other test attaches this plugin. */
const PLUGIN = 9100;

test('an operator upgrades a plugin of several tenants over two migrations', async () => {
  const { plugins } = await administrator(service());
  await plugins.register(PLUGIN, { slug: 'mailer', name: 'Mailer' });
  await plugins.registerVersion(PLUGIN, '1.0.0', {
    schema_version: 1,
    config_schema: [
      { key: 'address', type: 'string', required: true },
      { key: 'region', type: 'string' },
    ],
  });
  const attached = { plugin: PLUGIN, enabled: true };
  const [clean, unclear, blocked] = await Promise.all(
    ['eu', 'moon', 'us'].map(async (region) => {
      const tenant = await service().tenant();
      const config = { address: 'mail.example:587', region };
      const { id } = await tenant.pluginConfigs.create({ ...attached, name: `Mail ${region}`, config });
      return { ...tenant, id };
    }),
  );
  if (clean === undefined || unclear === undefined || blocked === undefined) throw new Error('No tenants.');
  const { version } = await blocked.pluginConfigs.runtime();
  await blocked.pluginConfigs.reportRuntime('old-1', {
    version,
    status: 'applied',
    plugins: { mailer: { version: '1.0.0', schemas: [1] } },
  });
  await plugins.registerVersion(PLUGIN, '2.0.0', {
    schema_version: 2,
    config_schema: [
      { key: 'host', type: 'string', required: true },
      { key: 'port', type: 'number' },
      { key: 'region', type: 'string' },
    ],
    migrations: [
      {
        from: 1,
        steps: [
          { split: { key: 'address', pattern: '(?<host>[^:]+):(?<port>\\d+)', numbers: ['port'] } },
          { map: { key: 'region', values: { eu: 'eu-west-1', us: 'us-east-1' } } },
        ],
      },
    ],
  });
  await plugins.registerVersion(PLUGIN, '3.0.0', {
    schema_version: 3,
    config_schema: [
      { key: 'server', type: 'string', required: true },
      { key: 'port', type: 'number' },
      { key: 'region', type: 'string' },
    ],
    migrations: [{ from: 2, steps: [{ rename: { from: 'host', to: 'server' } }] }],
  });

  const operator = { api: clean.api, token: await service().issueKey(['*']) };
  const { page } = await openSignedIn(browser(), operator, `/administration/plugins/${PLUGIN}`);
  const versions = page.getByRole('region', { name: 'Versions' });
  await versions.getByRole('listitem').filter({ hasText: '1.0.0' }).getByText('Current').waitFor();
  await expectAccessible(page);
  await versions.getByRole('link', { name: '3.0.0' }).click();
  await page.getByRole('button', { name: 'Make current' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make current' }).click();
  await page.getByText('Current', { exact: true }).waitFor();
  const counted = (state: string) => page.getByRole('row', { name: state }).getByRole('cell').first();
  expect(await counted('Clean').innerText()).toBe('1');
  expect(await counted('Needs input').innerText()).toBe('1');
  expect(await counted('Held up').innerText()).toBe('1');
  const notClean = page.getByRole('list', { name: 'Records that are not clean' });
  await notClean.getByText('Held up by old-1.').waitFor();
  await page.getByRole('button', { name: 'Upgrade all' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 record will be upgraded to 3.0.0.').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Upgrade', exact: true }).click();
  await page.getByText('1 record upgraded, 1 needs input, 1 held up by runtimes.').waitFor();
  await page.getByRole('row', { name: 'Clean 0' }).waitFor();
  expect(await counted('Up to date').innerText()).toBe('1');
  await expectAccessible(page);

  await notClean.getByRole('link', { name: 'Mail moon' }).click();
  await page.getByText('This configuration follows version 1.0.0').waitFor();
  await page.getByRole('button', { name: 'Upgrade' }).click();
  await dialog.getByRole('listitem').filter({ hasText: 'region' }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('region').fill('eu');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('button', { name: 'Upgrade' }).click();
  await dialog.getByText('eu-west-1').waitFor();
  await dialog.getByRole('button', { name: 'Upgrade' }).click();
  await page.getByText('Upgraded to version 3.0.0.').waitFor();
  expect(await page.getByLabel('server').inputValue()).toBe('mail.example');
  expect(await page.getByText('follows version').count()).toBe(0);

  await page.goto(
    `${clean.api}/console/projects/${blocked.projectId}/plugin_configs/${blocked.id}/configuration`,
  );
  await page.getByRole('button', { name: 'Pin to 1.0.0' }).click();
  await page.getByText('is pinned to version 1.0.0').waitFor();
  await page.getByRole('button', { name: 'Follow current' }).click();
  await page.getByRole('button', { name: 'Pin to 1.0.0' }).waitFor();
  await page.getByRole('button', { name: 'Upgrade' }).click();
  await dialog.getByText('old-1').waitFor();
  await dialog.getByRole('button', { name: 'Upgrade anyway' }).click();
  await dialog.getByText('us-east-1').waitFor();
  await dialog.getByRole('button', { name: 'Upgrade', exact: true }).click();
  await page.getByText('Upgraded to version 3.0.0.').waitFor();
  expect(await page.getByLabel('server').inputValue()).toBe('mail.example');
});
