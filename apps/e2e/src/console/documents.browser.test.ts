import { expect, test } from 'vitest';
import { sharedBrowser, expectAccessible, holdRequests, openSignedIn } from '../testing/console-page.ts';
import { registerPlugin } from '../testing/register-plugin.ts';
import { sharedService } from '../testing/shared-service.ts';

const service = sharedService();
const browser = sharedBrowser();

test(
  'a document is planned and applied; manual edits are warned about and listed',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const { page } = await openSignedIn(browser(), tenant, `/projects/${tenant.projectId}/documents`);
    await page.getByRole('heading', { name: 'No records are managed by a document' }).waitFor();
    const plan = async (records: readonly object[]): Promise<void> => {
      const document = { format: 1, manager: 'checkout-team', plugin_configs: records };
      await page.getByLabel('Document (JSON)').fill(JSON.stringify(document));
      await page.getByRole('button', { name: 'Plan', exact: true }).click();
      await page.getByText(/^(This|Nothing) would /).waitFor();
    };
    await page.getByLabel('Document (JSON)').fill('{"format": 1,');
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.getByRole('alert').getByText('Invalid document').waitFor();
    const required = { type: 'string', required: true } as const;
    const config_schema = ['host', 'path'].map((key) => ({ key, ...required }));
    await registerPlugin(service(), { id: 34, name: 'Sender', config_schema });
    const enabled = {
      format: 1,
      manager: 'checkout-team',
      plugin_configs: [{ key: 'a', plugin: 34, enabled: true }],
    };
    await page.getByLabel('Document (JSON)').fill(JSON.stringify(enabled));
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.getByText('plugin_configs[0].config.host: This field is required.').waitFor();
    await page.getByText('plugin_configs[0].config.path: This field is required.').waitFor();

    await plan([{ key: 'geoip', plugin: 3, name: 'GeoIP', enabled: true }]);
    await page.getByText('This would attach 1.').waitFor();
    await expectAccessible(page);
    expect(await page.locator('.planned dl').innerText()).not.toContain('→');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Applied: 1 attached.').waitFor();
    await page.getByRole('button', { name: 'Start another document' }).click();
    expect(await page.getByLabel('Document (JSON)').inputValue()).toBe('');
    await page.getByRole('link', { name: 'checkout-team (1)' }).click();
    await page.getByText('Current document').click();
    await page.getByRole('button', { name: 'Edit in plan' }).click();
    expect(JSON.parse(await page.getByLabel('Document (JSON)').inputValue())).toMatchObject({
      manager: 'checkout-team',
    });
    await page.getByText('No records were edited by hand').waitFor();
    const [record] = (await tenant.pluginConfigs.list().page()).results;
    const id = record?.id ?? 0;
    expect(record).toMatchObject({ name: 'GeoIP', enabled: true });

    await plan([{ key: 'geoip', plugin: 3, name: 'GeoIP city', enabled: true }]);
    await tenant.pluginConfigs.update(id, { enabled: false });
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('These records changed since the plan').waitFor();
    await page.getByText('geoip: enabled by key of project').waitFor();
    expect((await tenant.pluginConfigs.retrieve(id)).name).toBe('GeoIP');

    await page.reload();
    await page.getByRole('heading', { name: 'Edited by hand since the last apply' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'geoip' }).click();
    await page
      .getByText('This record is managed by a document of checkout-team, with the key geoip')
      .waitFor();
    await page.goBack();

    await plan([]);
    await page.getByText('This would delete 1.').waitFor();
    const apply = page.getByRole('button', { name: 'Apply' });
    expect(await apply.isDisabled()).toBe(true);
    await page.getByLabel('This deletes 1 record').fill('1');
    await apply.click();
    await expect.poll(async () => (await tenant.pluginConfigs.retrieve(id)).deleted).toBe(true);
  },
);

test(
  'a document cannot be edited while it is being applied; replacing typed text needs confirmation',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const { page } = await openSignedIn(browser(), tenant, `/projects/${tenant.projectId}/documents`);
    const text = page.getByLabel('Document (JSON)');
    const document = { format: 1, manager: 'team', plugin_configs: [{ key: 'geoip', plugin: 3 }] };
    await text.fill(JSON.stringify(document));
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.getByText('This would attach 1.').waitFor();
    const goOn = await holdRequests(page, '**/configuration/apply');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Applying…' }).waitFor();
    expect(await text.isEditable()).toBe(false);
    goOn();
    await page.getByText('Applied: 1 attached.').waitFor();
    expect(await text.isEditable()).toBe(true);
    await page.getByRole('link', { name: 'team (1)' }).click();

    await text.fill('typed');
    expect(await page.getByText('Applied: 1 attached.').count()).toBe(0);
    await page.getByText('Current document').click();
    const edit = page.getByRole('button', { name: 'Edit in plan' });
    page.once('dialog', (dialog) => void dialog.dismiss());
    await edit.click();
    expect(await text.inputValue()).toBe('typed');
    page.once('dialog', (dialog) => void dialog.accept());
    await edit.click();
    expect(JSON.parse(await text.inputValue())).toMatchObject({ manager: 'team' });
  },
);
