/** @module-tag long */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fillFamily } from '../testing/fill-family.ts';
import { flood } from '../testing/flood.ts';
import { administrator } from '../testing/administrator.ts';
import { registerPlugin } from '../testing/register-plugin.ts';
import { serviceOfFile } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const PLUGIN = 3;
const MANY = 2_000;
const LARGE = 'x'.repeat(200_000);
const RUNTIMES = 300;
const PAUSE_MS = 25;
/** The longest time that a write may wait for others. */
const TIMEOUT_MS = 4_000;

const running = serviceOfFile();

test('endless dry runs of every kind do not slow down neighbours and leave room for the dry runs of others', async () => {
  const service = running();
  const tenant = await service.tenant();
  await fillFamily(service, tenant, { records: MANY });
  const id = await tenant.attach();
  const trying = repeatDryRuns(await service.tenant());
  const writes = [
    ['PATCH', `/plugin_configs/${id}`, { name: 'Tried' }],
    ['PATCH', '/plugin_configs/rearrange', { plugin: 1, order: MANY }],
    ['PUT', `/plugin_configs/${id}/config`, { text: LARGE }],
    ['POST', '/plugin_configs', { plugin: 7 }],
    ['POST', `/plugin_configs/${id}/job`, { name: 'Tried' }],
  ] as const;
  const statuses = await flood(service, { callers: 30, allowed: [200, 201, 503] }, async (n) => {
    const [method, path, body] = writes[n % writes.length] ?? writes[0];
    return tenant.call(method, `${path}?dry_run=true`, body);
  });
  const tried = await trying.stop();
  expect(statuses.get(200)).toBeGreaterThan(1);
  expect(tried.rejected).toEqual([]);
  expect(tried.slowest).toBeLessThan(TIMEOUT_MS);
  expect(tried.count).toBeGreaterThan(1);
  const { body } = await tenant.call<{ readonly count: number }>('GET', '/plugin_configs?limit=1');
  expect(body.count).toBe(MANY + 1);
});

test('endless upgrades in a project with hundreds of large reports do not slow down neighbours', async () => {
  const service = running();
  const { plugins } = await administrator(service);
  await registerPlugin(service, {
    id: PLUGIN,
    name: 'Mailer',
    config_schema: [{ key: 'address', type: 'string' }],
  });
  await plugins.registerVersion(PLUGIN, '2.0.0', {
    schema_version: 2,
    config_schema: [{ key: 'host', type: 'string' }],
    migrations: [{ from: 1, steps: [{ rename: { from: 'address', to: 'host' } }] }],
  });
  const tenant = await service.tenant();
  const id = await tenant.attach(PLUGIN);
  const schemas = Array.from({ length: 50 }, (_, n) => 1_000_000_000 + n);
  const named = Array.from({ length: 200 }, (_, n) => [String(n), { version: 'x'.repeat(100), schemas }]);
  await service.rows(
    `insert into runtime_instance (
      project_id, family, instance, version, status, failed, labels, plugins, failed_ids, version_since, first_seen_at, last_seen_at
    )
    select $1, 'plugin_configs', n, '', 'applied', '[]', '{}', $3, '{}', now(), now(), now() from generate_series(1, $2::int) n`,
    [tenant.projectId, RUNTIMES, JSON.stringify(Object.fromEntries(named))],
  );
  const statuses = await flood(service, { callers: 30, allowed: [409, 503] }, async () =>
    tenant.call('POST', `/plugin_configs/${id}/upgrade?dry_run=true`, { version: '2.0.0' }),
  );
  expect(statuses.get(409)).toBeGreaterThan(1);
});

/** Repeats a dry run until stopped. */
function repeatDryRuns(tenant: Tenant) {
  const times: number[] = [];
  const rejected: string[] = [];
  const stopping = new AbortController();
  const going = (async () => {
    const id = await tenant.attach();
    while (!stopping.signal.aborted) {
      const start = performance.now();
      await tenant.pluginConfigs
        .update(id, { name: 'Tried' }, { dryRun: true })
        .catch((error: unknown) => rejected.push(String(error)));
      times.push(performance.now() - start);
      await sleep(PAUSE_MS);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await going;
      return { count: times.length, slowest: Math.round(Math.max(...times)), rejected };
    },
  };
}
