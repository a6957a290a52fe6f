import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pluginConfigClient, type Overview } from '@plugin-config/client';
import { chromium, type Page } from 'playwright-core';
import { chromiumOptions } from '../../../../tools/chromium.ts';
import { signIn } from './console-page.ts';
import { fillVersions } from './fill-versions.ts';
import { sampleService } from './sample-service.ts';

// npm run pictures -- [FOLDER] takes the screenshots for the docs from the console with the sample.

const FOLDER = process.argv[2] ?? join(import.meta.dirname, '../../../../docs/pictures');
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 800 };

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly size?: typeof WIDE;
  /** The button to press first. */
  readonly button?: string;
}

await using sample = await sampleService();
const browser = await chromium.launch(chromiumOptions());
mkdirSync(FOLDER, { recursive: true });
const page = await browser.newPage({ viewport: WIDE, reducedMotion: 'reduce' });
await page.goto(`${sample.url}/console`);
await page.getByLabel('API key').waitFor();
await take(page, { name: 'sign-in', path: '/' });
await signIn(page, sample.key);
const project = `/projects/${sample.projectId}`;
const plugins = `${project}/plugin_configs`;
const client = pluginConfigClient(sample);
const { pluginConfigs, overview } = client.project(sample.projectId);
const records = await Array.fromAsync(pluginConfigs.list());
while (!isFilled(await overview())) await sleep(1000);
const pathOf = (name: string): string => `${plugins}/${records.find((record) => record.name === name)?.id}`;
const [failing, flaky] = [pathOf('Nightly export'), pathOf('Orders to the shop')];
for (const picture of [
  { name: 'overview', path: project },
  { name: 'overview-dark', path: project, colorScheme: 'dark' },
  { name: 'overview-narrow', path: project, size: NARROW },
  { name: 'incidents', path: `${project}/incidents` },
  { name: 'alert', path: `${project}/alerts/new`, button: 'Preview' },
  { name: 'webhook', path: `${project}/webhooks`, button: 'Create a webhook' },
  { name: 'pipeline', path: plugins },
  { name: 'pipeline-dark', path: plugins, colorScheme: 'dark' },
  { name: 'pipeline-narrow', path: plugins, size: NARROW },
  { name: 'record', path: failing },
  { name: 'record-dark', path: failing, colorScheme: 'dark' },
  { name: 'record-narrow', path: failing, size: NARROW },
  { name: 'history', path: `${failing}/history` },
  { name: 'log-dark', path: `${failing}/logs`, colorScheme: 'dark' },
  { name: 'deliveries', path: `${flaky}/deliveries` },
  { name: 'runtimes', path: `${plugins}/runtimes` },
  { name: 'attach', path: `${plugins}/attach` },
  { name: 'plugins', path: '/administration/plugins' },
] satisfies readonly Picture[]) {
  await take(page, picture);
}
const planned = await fillVersions(client, sample.projectId);
await take(page, {
  name: 'upgrade-plan',
  path: `/administration/plugins/${planned.plugin}/versions/${planned.version}`,
});
await browser.close();

/** The worker evaluates the alerts and counts the log entries of the sample within two minutes. */
function isFilled({ incidents, errors }: Overview): boolean {
  return incidents.open > 0 && errors.some(({ count }) => count > 0);
}

async function take(
  shown: Page,
  { name, path, colorScheme = 'light', size = WIDE, button }: Picture,
): Promise<void> {
  await shown.setViewportSize(size);
  await shown.emulateMedia({ colorScheme });
  await shown.goto(`${sample.url}/console${path}`);
  await shown.getByRole('heading', { level: 1 }).waitFor();
  await shown.locator('.loading').first().waitFor({ state: 'detached' });
  if (button !== undefined) {
    await shown.getByRole('button', { name: button }).click();
    await shown.waitForLoadState('networkidle');
  }
  await shown.evaluate('document.fonts.ready.then(() => true)');
  await shown.screenshot({ path: join(FOLDER, `${name}.png`) });
}
