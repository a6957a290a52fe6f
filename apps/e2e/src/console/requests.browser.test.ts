/** @module-tag long */

import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { otlpReceiver } from '@plugin-config/tracing/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { administrator } from '../testing/administrator.ts';
import { openSignedIn, sharedBrowser } from '../testing/console-page.ts';
import { registerPlugin } from '../testing/register-plugin.ts';
import { runService } from '../testing/running-service.ts';

const browser = sharedBrowser();

const PLUGIN = {
  id: 70,
  name: 'GeoIP',
  config_schema: [{ key: 'city', type: 'string' }],
  jobs: [{ type: 'replay' }],
} as const;
const FAMILY = '/projects/P/plugin_configs';
const RECORD = `${FAMILY}/R`;

/**
 * What each screen needs as it opens: requests, with its streams, and statements. The session's are left out, and so are the access
 * queries, which concurrent requests share.
 */
const SCREENS: Readonly<Record<string, readonly [requests: number, statements: number]>> = {
  '/': [2, 3],
  '/projects/P': [2, 10],
  '/projects/P/incidents?show=all': [2, 2],
  '/projects/P/dead-letters': [2, 2],
  '/projects/P/alerts': [3, 3],
  '/projects/P/alerts/new': [3, 3],
  '/projects/P/alerts/A': [5, 4],
  '/projects/P/webhooks': [2, 2],
  '/projects/P/webhooks/W': [4, 5],
  '/projects/P/documents': [3, 3],
  [FAMILY]: [6, 4],
  [`${FAMILY}?deleted=true`]: [4, 2],
  [`${FAMILY}/attach`]: [2, 2],
  // Without a record, the console cannot know whether anything has changed before its stream began.
  [`${FAMILY}/activity`]: [4, 2],
  [`${FAMILY}/runtimes`]: [6, 3],
  [RECORD]: [5, 10],
  [`${RECORD}/configuration`]: [4, 2],
  [`${RECORD}/deliveries`]: [4, 2],
  [`${RECORD}/logs`]: [6, 10],
  [`${RECORD}/history`]: [4, 2],
  [`${RECORD}/history?show=revisions`]: [4, 2],
  [`${RECORD}/jobs`]: [4, 2],
  [`${RECORD}/jobs?run=replay`]: [5, 3],
  '/all/incidents': [2, 2],
  '/all/errors': [2, 2],
  '/all/runtimes': [2, 2],
  '/all/records?plugin=70': [2, 2],
  '/all/alerts': [2, 2],
  '/all/alerts/new': [1, 1],
  '/all/alerts/E': [3, 3],
  '/all/webhooks': [1, 1],
  '/administration/plugins': [1, 1],
  '/administration/plugins/70': [2, 2],
  '/administration/plugins/70/versions/0': [4, 10],
  '/administration/keys': [1, 1],
  '/administration/trusts': [1, 1],
  '/administration/projects': [1, 1],
  '/administration/audit': [1, 1],
};
const QUIET_MS = 500;
const NOT_COUNTED = /^(access|access_to_families|server_time|find_key|begin|commit)$/;

test('no screen makes more than six requests and ten statements as it opens, however much it lists', async () => {
  for (const [requests, statements] of Object.values(SCREENS)) {
    expect(requests).toBeLessThanOrEqual(6);
    expect(statements).toBeLessThanOrEqual(10);
  }
  await using collector = await otlpReceiver();
  await using service = await runService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  await registerPlugin(service, PLUGIN);
  const tenant = await service.tenant();
  // With one project, the console goes on to it.
  await service.tenant();
  const { projectId, pluginConfigs, alerts } = tenant;
  const rule = { family: 'plugin_configs', signal: 'error', window_minutes: 5, enabled: false } as const;
  const alert = await alerts.create({ name: 'It fails', ...rule });
  const { alerts: ofAll } = await administrator(service);
  const everywhere = await ofAll.create({ name: 'It fails everywhere', ...rule });
  const { id: webhook } = await tenant.webhooks.create({
    url: 'https://hooks.example.com/',
    events: ['incident.opened'],
  });
  const ids: number[] = [];
  for (const name of ['One', 'Two', 'Three']) {
    const { id } = await pluginConfigs.create({ plugin: PLUGIN.id, name, enabled: true });
    ids.push(id);
    await tenant.push([
      { kind: 'error', plugin_config_id: id, error: 'No database' },
      { type: 'ERROR', plugin_config_id: id, message: 'No database' },
    ]);
    await service.rows(
      `insert into incident (project_id, alert_project_id, family, alert_id, alert_name, signal, opened_at, record_id)
    select $1, unnest($3::bigint[]), 'plugin_configs', unnest($4::bigint[]), 'It fails', 'error', now(), $2`,
      [projectId, id, [projectId, 0], [alert.id, everywhere.id]],
    );
  }
  const failed = ids.map((id) => ({ id, error: 'No database' }));
  await pluginConfigs.reportRuntime('eu-1', { version: 'older', status: 'failed', failed });

  const token = await service.issueKey(['*']);
  const { page } = await openSignedIn(browser(), { api: tenant.api, token });
  // Without timers, nothing is read a second time because it has become old.
  await page.addInitScript('window.setInterval = () => 0');
  const named = { P: projectId, R: ids[0], A: alert.id, E: everywhere.id, W: webhook };
  const requestsOf = watchRequests(page);
  const traces = new Map<string, string>();
  for (const [path, [max]] of Object.entries(SCREENS)) {
    const trace = randomBytes(16).toString('hex');
    traces.set(path, trace);
    await page.setExtraHTTPHeaders({ traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-01` });
    const filled = path.replace(/(?<=\/)[PRAEW](?=\/|$|\?)/g, (letter) =>
      String(named[letter as keyof typeof named]),
    );
    const requests = await requestsOf(`${tenant.api}/console${filled}`);
    expect.soft(requests.length, `${path}\n${requests.join('\n')}`).toBeLessThanOrEqual(max);
  }
  await page.close();
  await service.end('http', 'SIGTERM');
  for (const [path, [, max]] of Object.entries(SCREENS)) {
    const statements = collector.spans
      .filter(
        (span) => span.traceId === traces.get(path) && span.attributes['db.system.name'] === 'postgresql',
      )
      .map(({ name }) => name)
      .filter((name) => !NOT_COUNTED.test(name));
    expect.soft(statements.length, `${path}\n${statements.join('\n')}`).toBeLessThanOrEqual(max);
    expect.soft(statements.length, path).toBeGreaterThan(0);
  }
});

/** Returns a function that opens an address and returns the requests to the service until there are no more. */
function watchRequests(page: Page): (address: string) => Promise<readonly string[]> {
  let requests: string[] = [];
  let changedAt = 0;
  const pending = new Set<unknown>();
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    changedAt = performance.now();
    if (!pathname.endsWith('/stream')) pending.add(request);
    if (pathname.startsWith('/api/') && !pathname.startsWith('/api/session'))
      requests.push(`${request.method()} ${pathname}${search}`);
  });
  const end = (request: unknown): void => {
    pending.delete(request);
    changedAt = performance.now();
  };
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return async (address) => {
    await page.goto('about:blank');
    pending.clear();
    requests = [];
    await page.goto(address);
    // A busy machine may take longer until the first one.
    const isQuiet = (): boolean => requests.length > 0 && performance.now() - changedAt >= QUIET_MS;
    while (pending.size > 0 || !isQuiet()) await setTimeout(QUIET_MS / 10);
    return requests;
  };
}
