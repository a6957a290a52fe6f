/** @module-tag long */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fillFamily } from '../testing/fill-family.ts';
import { flood } from '../testing/flood.ts';
import { neighbour } from '../testing/neighbour.ts';
import { serviceOfFile, type RunningService } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const RECORDS = 2_000;
const CALLERS = 30;
const DAY_MS = 24 * 60 * 60_000;
const HANG_UP_AFTER_MS = 50;
const RULE = { family: 'plugin_configs', signal: 'delivery_rate', threshold: 0.9, window_minutes: 15 };
const RULES = [
  RULE,
  { ...RULE, window_minutes: 1440, for: { n: 5, m: 10 } },
  { ...RULE, signal: 'silence', threshold: null },
  { ...RULE, signal: 'log', threshold: 1 },
];

const running = serviceOfFile();

test('endless previews, overviews and recent deliveries of a large project do not slow down neighbours, or outlive their callers', async () => {
  const service = running();
  const tenant = await service.tenant();
  await fillFamily(service, tenant, { records: RECORDS });
  await makeDeliveries(service, tenant);
  const beside = await neighbour(await service.tenant(), { also: previews(await service.tenant()) });
  const statuses = await flood(
    service,
    { callers: CALLERS, allowed: [0, 200, 400, 503], beside },
    async (n) => {
      const rule = RULES[n % RULES.length];
      if (n % 5 === 0) return tenant.call('GET', '/overview');
      if (n % 3 === 0) return hangUp(tenant, rule);
      return tenant.call('POST', '/alerts/preview', rule);
    },
  );
  expect(statuses.get(200)).toBeGreaterThan(1);
  const { status } = await tenant.call('POST', '/alerts/preview', RULE);
  expect(status).toBe(200);

  const { results } = await tenant.pluginConfigs.list({ limit: 100 }).page();
  const recent = `/plugin_configs/deliveries?${results.map(({ id }) => `record=${id}`).join('&')}`;
  const received = await flood(service, { callers: CALLERS, allowed: [200, 503] }, () =>
    tenant.call('GET', recent),
  );
  expect(received.get(200)).toBeGreaterThan(1);
});

/** The previews and overviews of a small project. */
function previews(tenant: Tenant) {
  const ok = async (response: Promise<{ readonly status: number }>): Promise<void> => {
    const { status } = await response;
    if (status !== 200) throw new Error(`The response was ${status}.`);
  };
  return {
    preview: () => ok(tenant.call('POST', '/alerts/preview', RULE)),
    overview: () => ok(tenant.call('GET', '/overview')),
  };
}

/** Closes the connection before the response. */
async function hangUp(
  { api, projectId, token }: Tenant,
  rule: unknown,
): Promise<{ readonly status: number }> {
  const stopping = new AbortController();
  const response = fetch(`${api}/api/projects/${projectId}/alerts/preview`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(rule),
    signal: stopping.signal,
  }).catch(() => undefined);
  await sleep(HANG_UP_AFTER_MS);
  stopping.abort();
  await response;
  return { status: 0 };
}

/** Gives each record deliveries in every span of the last 24 hours. */
async function makeDeliveries(service: RunningService, tenant: Tenant): Promise<void> {
  const id = await tenant.attach();
  const now = Date.now();
  // The first report of a day creates its tables.
  for (const timestamp of [now, now - DAY_MS, now - 2 * DAY_MS]) {
    const report = { kind: 'delivery', id: crypto.randomUUID(), plugin_config_id: id, successes: 1 };
    const line = {
      ...report,
      successes_on_retry: 0,
      failures: 0,
      timestamp: new Date(timestamp).toISOString(),
    };
    expect((await tenant.push([line])).body).toMatchObject({ dead: 0 });
  }
  await service.rows(
    `insert into delivery_sum (record_id, span, successes, successes_on_retry, failures)
    select r.id, date_bin('10 minutes', now(), 'epoch') - n * interval '10 minutes', 90, 1, n % 20
    from config_record r, generate_series(0, 280) n where r.project_id = $1
    on conflict do nothing`,
    [tenant.projectId],
  );
  await service.rows('vacuum analyze delivery_sum');
}
