/** @module-tag long */

import { expect, test } from 'vitest';
import { lockFamily } from '../testing/lock-family.ts';
import { neighbour } from '../testing/neighbour.ts';
import { operator } from '../testing/operator.ts';
import { serviceOfFile, type RunningService } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const SECRETS_KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
const LARGE = 25;
let plugins = 10_000;

const running = serviceOfFile({ SECRETS_KEYS });

const schemaOf = (plugin: number): string =>
  JSON.stringify({
    id: plugin,
    name: 'Slack',
    config_schema: [{ key: 'token', type: 'string', secret: true }],
  });

/** The JSON of 9,000 entries, nearly 256 KiB, all different for each `n`. */
function configuration(n: number): string {
  return JSON.stringify(
    Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`the key of entry ${i}`, n])),
  );
}

test('configurations of 256 KiB that are all replaced at once do not delay small requests', async () => {
  const [before, after] = [configuration(0), configuration(1)];
  const service = running();
  const tenant = await service.tenant();
  const ids = await Promise.all(Array.from({ length: LARGE }, (_, i) => tenant.attach(i + 1)));
  await service.rows('update config_record set config = $1 where project_id = $2', [
    before,
    tenant.projectId,
  ]);
  const other = await neighbour(await service.tenant());
  const answers = await Promise.all(
    ids.map((id) => tenant.call('PUT', `/plugin_configs/${id}/config`, after)),
  );
  await other.expectUnharmed();
  for (const { status, took } of answers) {
    expect([200, 503]).toContain(status);
    expect(took).toBeLessThan(5_000);
  }
  expect(answers.some(({ status }) => status === 200)).toBe(true);
});

test('while a plugin with many large configurations is registered, none of its writers waits', async () => {
  const service = running();
  const [owner, other] = [await service.tenant(), await service.tenant()];
  const [plugin, records] = [++plugins, 80];
  await attachMany(service, owner, { plugin, records });
  const same = await neighbour(owner, { limit: 1 });
  const beside = await neighbour(other);
  const env = { DATABASE_URL: service.databaseUrl, SECRETS_KEYS };
  const { code, stderr } = await operator(['plugin', 'register', '-'], { env, input: schemaOf(plugin) });
  await Promise.all([same.expectUnharmed(), beside.expectUnharmed()]);
  expect([code, stderr]).toEqual([
    0,
    // Fewer than 80 if the worker has sealed the others.
    expect.stringMatching(/sealed in [1-8]?\d records?\.\nPlugin \d+ \("Slack"\) is registered\.\n$/),
  ]);
  expect(await left(service, plugin)).toBe(0);
  await expect.poll(() => unmasked(service, plugin), { timeout: 30_000 }).toBe(0);
});

test('a killed registration is finished by the worker or by the next one, and its schema applies to new configurations meanwhile', async () => {
  const service = running();
  const [owner, locked] = [await service.tenant(), await service.tenant()];
  const [plugin, records] = [++plugins, 30];
  await attachMany(service, owner, { plugin, records });
  await attachMany(service, locked, { plugin, records });
  const env = { DATABASE_URL: service.databaseUrl, SECRETS_KEYS };
  // Thus the registration does not end before it is killed.
  const lock = lockFamily(service, locked, 60).catch(String);
  const killed = operator(['plugin', 'register', '-'], {
    env,
    input: schemaOf(plugin),
    killWhen: () => someAreSealed(service, plugin),
  });
  expect((await killed).code).not.toBe(0);
  await service.rows(
    `select pg_cancel_backend(pid) from pg_stat_activity where query like 'select pg_sleep%'`,
  );
  expect(await lock).toContain('canceling statement');
  expect(await left(service, plugin)).toBeGreaterThanOrEqual(records);
  const id = await owner.attach(plugin);
  const { config } = await owner.pluginConfigs.setConfiguration(id, { token: 'new' });
  expect(config).toBe('{"token":"********"}');
  // The worker goes on with it, too: either may come first.
  const { code, stderr } = await operator(['plugin', 'register', '-'], { env, input: schemaOf(plugin) });
  expect([code, stderr]).toEqual([0, expect.stringContaining('is registered.')]);
  expect(await left(service, plugin)).toBe(0);
  await expect.poll(() => unmasked(service, plugin), { timeout: 30_000 }).toBe(0);
});

/** Adds records with 256 KiB each, configured before the plugin was registered. */
async function attachMany(
  { rows }: RunningService,
  { projectId }: Tenant,
  { plugin, records }: { readonly plugin: number; readonly records: number },
): Promise<void> {
  await rows(
    `with text as materialized (select string_agg(md5(i::text), '') as text from generate_series(1, 8150) i),
    record as (
      insert into config_record
        (project_id, family, plugin, enabled, position, config, secrets, deleted, created_at, updated_at, version)
      select $1, 'plugin_configs', $2, false, 1000 + i, json_build_object('token', 'clear', 'text', text)::text, '{}',
        false, now(), now(), 1
      from generate_series(1, $3) i, text
      returning id
    )
    insert into activity (record_id, activity, created_at, actor_label, changes)
    select id, 'config_updated', now(), 'key', '[{"field":"config.token","before":null,"after":"clear"}]' from record`,
    [projectId, plugin, records],
  );
}

async function left({ rows }: RunningService, plugin: number): Promise<number> {
  const [row] = await rows<{ count: number }>(
    `select count(*)::integer from config_record r where r.plugin = $1 and r.config like '%clear%'`,
    [plugin],
  );
  return row?.count ?? 0;
}

async function unmasked({ rows }: RunningService, plugin: number): Promise<number> {
  const [row] = await rows<{ count: number }>(
    `select count(*)::integer from config_record r join activity a on a.record_id = r.id
    where r.plugin = $1 and a.changes::text like '%"clear"%'`,
    [plugin],
  );
  return row?.count ?? 0;
}

async function someAreSealed({ rows }: RunningService, plugin: number): Promise<boolean> {
  const [row] = await rows('select 1 from plugin where id = $1 and sealed_up_to > 0', [plugin]);
  return row !== undefined;
}
