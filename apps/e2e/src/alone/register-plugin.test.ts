import { expect, test } from 'vitest';
import { neighbour } from '../testing/neighbour.ts';
import { operator } from '../testing/operator.ts';
import { runService, type RunningService } from '../testing/running-service.ts';

const RECORDS = 200;
const PLUGIN = 7;
const SECRETS_KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
const FILE = JSON.stringify({
  id: PLUGIN,
  name: 'Slack',
  config_schema: [{ key: 'token', type: 'string', secret: true }],
});

test('while a plugin with many large configurations is registered, none of its writers waits', async () => {
  await using service = await runService({ SECRETS_KEYS });
  const [owner, other] = [await service.tenant(), await service.tenant()];
  await attachMany(service, owner.projectId);
  const same = await neighbour(owner, 1);
  const beside = await neighbour(other);
  const env = { DATABASE_URL: service.databaseUrl, SECRETS_KEYS };
  const { code, stderr } = await operator(['plugin', 'register', '-'], { env, input: FILE });
  await Promise.all([same.expectUnharmed(), beside.expectUnharmed()]);
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/sealed in 200 records\.\nPlugin 7 \("Slack"\) is registered\.\n$/),
  ]);
  expect(await left(service)).toBe(0);
});

test('a killed registration continues where it stopped, and its schema applies to new configurations meanwhile', async () => {
  await using service = await runService({ SECRETS_KEYS });
  const owner = await service.tenant();
  await attachMany(service, owner.projectId);
  const env = { DATABASE_URL: service.databaseUrl, SECRETS_KEYS };
  const killed = operator(['plugin', 'register', '-'], {
    env,
    input: FILE,
    killWhen: () => someAreSealed(service),
  });
  expect((await killed).code).not.toBe(0);
  const before = await left(service);
  expect(before).toBeGreaterThan(0);
  const id = await owner.attach(PLUGIN);
  const { config } = await owner.pluginConfigs.setConfiguration(id, { token: 'new' });
  expect(config).toBe('{"token":"********"}');
  const { code, stderr } = await operator(['plugin', 'register', '-'], { env, input: FILE });
  expect([code, stderr]).toEqual([0, expect.stringContaining(`sealed in ${before} records.`)]);
  expect(await left(service)).toBe(0);
});

/** Adds records with 256 KiB each, configured before the plugin was registered. */
async function attachMany({ rows }: RunningService, projectId: number): Promise<void> {
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
    [projectId, PLUGIN, RECORDS],
  );
}

async function left({ rows }: RunningService): Promise<number> {
  const [row] = await rows<{ count: number }>(
    `select count(*)::integer from config_record r where r.plugin = $1 and (
      r.config like '%clear%'
      or exists (select from activity a where a.record_id = r.id and a.changes::text like '%"clear"%')
    )`,
    [PLUGIN],
  );
  return row?.count ?? 0;
}

async function someAreSealed({ rows }: RunningService): Promise<boolean> {
  const [row] = await rows('select 1 from plugin where sealed_up_to > 0');
  return row !== undefined;
}
