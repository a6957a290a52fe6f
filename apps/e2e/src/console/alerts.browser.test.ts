import { expect, test } from 'vitest';
import { expectAccessible, openRecord, openSignedIn, sharedBrowser } from '../testing/console-page.ts';
import { makeAlertsDue } from '../testing/make-alerts-due.ts';
import { sharedService } from '../testing/shared-service.ts';

const service = sharedService();
const browser = sharedBrowser();

test(
  'an alert is previewed and created, and its incident is shown until the alert is deleted',
  { tags: ['long'] },
  async () => {
    const tenant = await service().tenant();
    const { projectId, pluginConfigs } = tenant;
    const { id } = await pluginConfigs.create({ plugin: 7, name: 'GeoIP', enabled: true });
    const timestamp = new Date(Date.now() - 3_600_000).toISOString();
    const report = { id: crypto.randomUUID(), kind: 'delivery', plugin_config_id: id, timestamp };
    const { body } = await tenant.push([{ ...report, successes: 1, successes_on_retry: 0, failures: 9 }]);
    expect(body.stored).toBe(1);

    const { page } = await openSignedIn(browser(), tenant, `/projects/${projectId}`);
    const main = page.getByRole('main');
    const navigation = page.getByRole('navigation', { name: 'Project' });
    await main.getByText('Everything is all right').waitFor();
    await expectAccessible(page);

    await navigation.getByRole('link', { name: 'Alerts' }).click();
    await page.getByText('No alerts yet').waitFor();
    await page.getByRole('link', { name: 'Create an alert' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Deliveries of GeoIP');
    await page.getByRole('combobox', { name: 'Record' }).selectOption('GeoIP');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('It would have opened 1 incident for 1 record.').waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 800 });
    const preview = await page.getByRole('region', { name: 'The last 24 hours' }).boundingBox();
    const create = await page.getByRole('button', { name: 'Create' }).boundingBox();
    expect((preview?.y ?? 0) + (preview?.height ?? 0)).toBeLessThan(create?.y ?? 0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel('Threshold (%)').fill('5');
    await page.getByText('Preview the rule').waitFor();
    await page.getByLabel('Signal').selectOption('runtime');
    await page.getByText('no history to preview').waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Deliveries of GeoIP was created.').waitFor();
    await main.getByText('A runtime cannot apply it, or does not update within 15 minutes').waitFor();

    const failed = [{ id, error: 'The database has expired' }];
    const { version } = await pluginConfigs.runtime();
    await pluginConfigs.reportRuntime('eu-1', { version, status: 'failed', failed });
    await makeAlertsDue(service(), projectId);
    await expect.poll(async () => (await tenant.incidents({ open: true }).page()).count).toBe(1);
    await page.reload();
    await main.getByText('1 open incident').waitFor();
    await expectAccessible(page);
    await navigation.getByRole('link', { name: 'Overview' }).click();
    await main.getByRole('link', { name: '1 open incident' }).click();
    await main.getByText('A runtime cannot run it').waitFor();
    await expectAccessible(page);
    await main.getByRole('link', { name: 'GeoIP', exact: true }).click();
    const open = page.getByRole('region', { name: 'Open incidents' });
    await open.getByText('A runtime cannot run it').waitFor();
    await open.getByRole('link', { name: 'Deliveries of GeoIP' }).click();
    await main.getByText('A runtime cannot run it').waitFor();

    await page.getByRole('textbox', { name: 'Name' }).fill('Runtimes of GeoIP');
    const [alert] = (await tenant.alerts.list().page()).results;
    await tenant.alerts.update(alert?.id ?? 0, { window_minutes: 60 });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('This alert has changed.').waitFor();
    expect(await page.getByLabel('Window (minutes)').inputValue()).toBe('60');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { name: 'Runtimes of GeoIP' }).waitFor();
    await makeAlertsDue(service(), projectId);
    await expect.poll(async () => (await tenant.incidents({ open: false }).page()).count).toBeGreaterThan(0);
    await page.reload();
    await main.getByText('Alert changed').first().waitFor();
    await expectAccessible(page);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No alerts yet').waitFor();
    await makeAlertsDue(service(), projectId);
    await expect.poll(async () => (await tenant.incidents({ open: true }).page()).count).toBe(0);
    await navigation.getByRole('link', { name: 'Incidents' }).click();
    await page.getByText('No open incidents').waitFor();
    await page.getByText('All', { exact: true }).click();
    await main.getByText('Alert changed').first().waitFor();
  },
);

test('a change made by an alert links to the alert', async () => {
  const tenant = await service().tenant();
  const { projectId, pluginConfigs } = tenant;
  const { id } = await pluginConfigs.create({ plugin: 7, name: 'GeoIP', enabled: true });
  await tenant.alerts.create({
    name: 'Stop what fails',
    family: 'plugin_configs',
    signal: 'runtime',
    window_minutes: 15,
    action: 'disable',
  });
  const failed = [{ id, error: 'The database has expired' }];
  const { version } = await pluginConfigs.runtime();
  await pluginConfigs.reportRuntime('eu-1', { version, status: 'failed', failed });
  await makeAlertsDue(service(), projectId);
  await expect.poll(async () => (await pluginConfigs.retrieve(id)).enabled).toBe(false);
  const { page } = await openRecord(browser(), tenant, id, '/history');
  await page.getByRole('link', { name: /^alert \d+: Stop what fails$/ }).click();
  await page.getByRole('heading', { name: 'Stop what fails' }).waitFor();
});

test('a webhook is created, tested, changed and deleted', { tags: ['long'] }, async () => {
  const tenant = await service().tenant();
  const { page } = await openSignedIn(browser(), tenant, `/projects/${tenant.projectId}/webhooks`);
  const main = page.getByRole('main');
  const dialog = page.getByRole('dialog');
  await page.getByText('No webhooks yet').waitFor();
  await page.getByRole('button', { name: 'Create a webhook' }).click();
  await dialog.getByLabel('URL').fill('https://127.0.0.1/');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByRole('alert').waitFor();
  await expectAccessible(page);
  await dialog.getByLabel('URL').fill('https://receiver.invalid/hook');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const secret = await dialog.locator('code.token').innerText();
  expect(secret).toMatch(/^whsec_/);
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain(secret);
  await expectAccessible(page);

  await main.getByRole('link', { name: 'https://receiver.invalid/hook' }).click();
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await main.getByText(/\d attempts?, no response/).waitFor();
  await main.getByText('Payload and response').click();
  await main.getByText('"type":"webhook.test"').waitFor();
  await expectAccessible(page);
  await main.getByRole('button', { name: 'Resend webhook.test' }).click();
  await page.getByText('The delivery was queued again.').waitFor();
  await page.getByRole('button', { name: 'Resend all failed' }).click();
  await page.getByText('0 failed deliveries were queued again.').waitFor();

  await page.getByRole('checkbox', { name: 'A record is deleted' }).check();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved.').waitFor();
  const focused = page.getByRole('button', { name: 'Save changes' }).and(page.locator(':focus'));
  expect(await focused.isDisabled()).toBe(true);
  expect((await tenant.webhooks.list().page()).results[0]?.events).toContain('record.deleted');
  const questions: string[] = [];
  page.on('dialog', (question) => {
    questions.push(question.message());
    void question.accept();
  });
  await page.getByRole('button', { name: 'Replace the secret' }).click();
  expect(await dialog.locator('code.token').innerText()).not.toBe(secret);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('checkbox', { name: 'A record is deleted' }).uncheck();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No webhooks yet').waitFor();
  expect(questions).toEqual([
    expect.stringMatching(/^Replace the secret\?/),
    expect.stringMatching(/^Delete the webhook\?/),
  ]);
});
