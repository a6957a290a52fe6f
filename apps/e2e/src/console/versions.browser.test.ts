import { expect, test } from 'vitest';
import { administrator } from '../testing/administrator.ts';
import { expectAccessible, openSignedIn, sharedBrowser } from '../testing/console-page.ts';
import { sharedService } from '../testing/shared-service.ts';

const service = sharedService();
const browser = sharedBrowser();

/** The counts are over all tenants of the shared service, and no other test attaches this plugin. */
const PLUGIN = 9100;

/** The others have an address and a region that the migrations know, and no runtime. */
const CLEAN = 18;
const TENANTS = CLEAN + 2;

test('an operator upgrades a plugin of twenty tenants over two migrations', { tags: ['long'] }, async () => {
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
  const [unclear, blocked] = await Promise.all(
    ['moon', 'us', ...Array.from({ length: CLEAN }, () => 'eu')].map(async (region) => {
      const tenant = await service().tenant();
      const config = { address: 'mail.example:587', region };
      const { id } = await tenant.pluginConfigs.create({ ...attached, name: `Mail ${region}`, config });
      return { ...tenant, id };
    }),
  );
  if (unclear === undefined || blocked === undefined) throw new Error('No tenants.');
  const { version } = await blocked.pluginConfigs.runtime();
  await blocked.pluginConfigs.reportRuntime('old-1', {
    version,
    status: 'applied',
    plugins: { mailer: { version: '1.0.0', schemas: [1] } },
  });
  // It stays online on a busy machine.
  await service().rows(
    `update runtime_instance set last_seen_at = now() + interval '1 hour' where project_id = $1`,
    [blocked.projectId],
  );
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

  const operator = { api: blocked.api, token: await service().issueKey(['*']) };
  const { page } = await openSignedIn(browser(), operator, `/administration/plugins/${PLUGIN}`);
  const versions = page.getByRole('region', { name: 'Versions' });
  const first = versions.getByRole('listitem').filter({ hasText: '1.0.0' });
  await first.getByText('Current').waitFor();
  await first.getByText(`${TENANTS} records`).waitFor();
  await expectAccessible(page);
  await versions.getByRole('link', { name: '3.0.0' }).click();
  await page.getByRole('button', { name: 'Make current' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make current' }).click();
  await page.getByText('Current', { exact: true }).waitFor();
  const counted = (state: string) => page.getByRole('row', { name: state }).getByRole('cell').first();
  expect(await counted('Clean').innerText()).toBe(String(CLEAN));
  expect(await counted('Needs input').innerText()).toBe('1');
  expect(await counted('Held up').innerText()).toBe('1');
  const notClean = page.getByRole('list', { name: 'Records that are not clean' });
  await notClean.getByText('Held up by old-1.').waitFor();
  const dialog = page.getByRole('dialog');
  const upgradeAll = async () => {
    await page.getByRole('button', { name: 'Upgrade all' }).click();
    await dialog.getByText(`${CLEAN} records will be upgraded to 3.0.0.`).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Upgrade', exact: true }).click();
  };
  // Without a worker, the upgrade is still running when it is cancelled.
  await service().end('worker', 'SIGTERM');
  await upgradeAll();
  await page.getByText(`0 of ${TENANTS} records visited: 0 records upgraded.`).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText(`Cancelled with 0 of ${TENANTS} records visited`).waitFor();
  await service().restart('worker');
  await upgradeAll();
  await page.getByText(`${CLEAN} records upgraded, 1 needs input, 1 held up by runtimes.`).waitFor();
  await page.getByRole('row', { name: 'Clean 0' }).waitFor();
  expect(await counted('Up to date').innerText()).toBe(String(CLEAN));
  await expectAccessible(page);

  await page.goto(`${blocked.api}/console/all/records?plugin=${PLUGIN}`);
  const records = page.getByRole('listitem').filter({ hasText: 'Tenant' });
  await expect.poll(() => records.count()).toBe(TENANTS);
  expect(await records.getByText('Outdated').count()).toBe(2);
  await page.getByLabel('Outdated').check();
  await expect.poll(() => records.count()).toBe(2);
  expect(await records.getByText('Mail moon').count()).toBe(1);
  expect(await records.getByText('Mail us').count()).toBe(1);
  await expectAccessible(page);

  const openVersion = (name: string) =>
    page.goto(`${blocked.api}/console/administration/plugins/${PLUGIN}/versions/${name}`);
  await openVersion('3.0.0');
  await page.getByRole('button', { name: 'Upgrade all' }).click();
  await dialog.getByLabel('Also upgrade records whose runtimes do not know the new schema').check();
  await dialog.getByText('up to 1 in spite of runtimes').waitFor();
  await dialog.getByRole('button', { name: 'Upgrade', exact: true }).click();
  await page.getByText('1 record upgraded, 1 needs input.').waitFor();
  await page.getByRole('row', { name: 'Held up 0' }).waitFor();

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

  await openVersion('2.0.0');
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await dialog.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText('Withdrawn', { exact: true }).waitFor();
  expect(await page.getByText('Upgrade of all records').count()).toBe(0);
  await openVersion('1.0.0');
  await page.getByRole('button', { name: 'Deprecate' }).click();
  await dialog.getByLabel('Message').fill('Its API ends in June.');
  await dialog.getByLabel('Upgrade by').fill('2100-06-01T00:00');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Deprecate' }).click();
  await page.getByText('Its API ends in June. Upgrade due').waitFor();
  await page.getByText('Deprecated', { exact: true }).waitFor();

  // Its first revision pins the record to the version that it had.
  const { status } = await blocked.call('POST', `/plugin_configs/${blocked.id}/revisions/1/restore`);
  expect(status).toBe(200);
  await page.goto(
    `${blocked.api}/console/projects/${blocked.projectId}/plugin_configs/${blocked.id}/configuration`,
  );
  await page.getByText('is pinned to version 1.0.0').waitFor();
  await page.getByText('Its API ends in June. Upgrade due').waitFor();
  await page.getByRole('button', { name: 'Follow current' }).click();
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
