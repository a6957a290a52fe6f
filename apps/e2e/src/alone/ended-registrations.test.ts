/** @module-tag long */

import { expect, test } from 'vitest';
import { loadOf } from '../../../../tools/property-runs.ts';
import { neighbour } from '../testing/neighbour.ts';
import { operator } from '../testing/operator.ts';
import { runService, serviceOfFile, type RunningService } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

/** Several portions of what is sealed and masked at a time. */
const RECORDS = loadOf(2_500);
const MASKED = { timeout: 120_000, interval: 500 };
const CANARY = 'canary-4712';
const SECRETS_KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

const fields = (secret: boolean) =>
  Array.from({ length: 500 }, (_, i) => ({ key: `s${i}`, type: 'string', secret }));
const SECRET = { name: 'Slack', config_schema: fields(true) };
const OPEN = { name: 'Slack', config_schema: fields(false) };

// Without SECRETS_KEYS, nobody can seal a value that is plain.
const running = serviceOfFile();
let plugins = 20_000;

/** Registers and removes plugins, as one of the two ways does. */
interface Registry {
  /** Registers a plugin whose sealing stops at its first record. */
  unsealed(plugin: number): Promise<void>;
  registered(plugin: number): Promise<void>;
  removed(plugin: number): Promise<void>;
}

async function overHttp(service: RunningService, { api }: Tenant): Promise<Registry> {
  const authorization = `Bearer ${await service.issueKey(['*'])}`;
  const ask = async (method: string, plugin: number, body?: object): Promise<Response> =>
    fetch(`${api}/api/plugins/${plugin}`, {
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    unsealed: async (plugin) => {
      const answer = await ask('PUT', plugin, SECRET);
      expect([answer.status, await answer.json()]).toMatchObject([200, { unsealed_records: RECORDS }]);
    },
    registered: async (plugin) => {
      const answer = await ask('PUT', plugin, OPEN);
      expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
    },
    removed: async (plugin) => {
      const answer = await ask('DELETE', plugin);
      expect([answer.status, await answer.text()]).toEqual([204, '']);
    },
  };
}

const registries: Readonly<Record<string, (service: RunningService, other: Tenant) => Promise<Registry>>> = {
  'over HTTP': overHttp,
  'by command': async ({ databaseUrl }) => {
    const run = (args: readonly string[], input?: object) =>
      operator(['plugin', ...args], { env: { DATABASE_URL: databaseUrl }, input: JSON.stringify(input) });
    return {
      unsealed: async (id) => {
        const stderr = expect.stringContaining(`sealed in only 0 of ${RECORDS} existing records`);
        expect(await run(['register', '-'], { id, ...SECRET })).toMatchObject({ code: 1, stderr });
      },
      registered: async (id) =>
        expect(await run(['register', '-'], { id, ...OPEN })).toMatchObject({ code: 0 }),
      removed: async (id) => expect(await run(['remove', String(id)])).toMatchObject({ code: 0 }),
    };
  },
};

for (const [way, registryOf] of Object.entries(registries)) {
  test(`${way}, a plugin of many secrets and unsealed records is removed or registered otherwise, and its past stays masked`, async () => {
    const service = running();
    const [owner, beside] = [await service.tenant(), await service.tenant()];
    const registry = await registryOf(service, owner);
    const [left, replaced] = [++plugins, ++plugins];
    for (const plugin of [left, replaced]) {
      await attachMany(service, owner, plugin);
      await registry.unsealed(plugin);
    }
    const other = await neighbour(beside);
    await registry.removed(left);
    await expectMasked(service, owner, left);
    await registry.registered(left);
    await expectMasked(service, owner, left);
    await registry.registered(replaced);
    await expectMasked(service, owner, replaced);
    await expect.poll(() => stored(service), MASKED).toBe(0);
    await other.expectUnharmed();
    for (const plugin of [left, replaced]) await expectMasked(service, owner, plugin);
  }, 300_000);
}

test('records of a plugin of many secrets are sealed and masked beside others', async () => {
  await using service = await runService({ SECRETS_KEYS });
  const [owner, beside] = [await service.tenant(), await service.tenant()];
  const registry = await overHttp(service, owner);
  const plugin = ++plugins;
  await attachMany(service, owner, plugin);
  const other = await neighbour(beside);
  await registry.unsealed(plugin);
  const unfinished = () => service.rows('select from plugin where sealed_up_to is not null');
  await expect.poll(unfinished, MASKED).toEqual([]);
  await expect.poll(() => stored(service), MASKED).toBe(0);
  await other.expectUnharmed();
}, 300_000);

/** Adds records whose history and last revision show a secret of the plugin, which is cleared. The first one has a plain value. */
async function attachMany({ rows }: RunningService, { projectId }: Tenant, plugin: number): Promise<void> {
  await rows(
    `with record as (
      insert into config_record
        (project_id, family, plugin, enabled, position, config, secrets, deleted, created_at, updated_at, version, edition)
      select $1, 'plugin_configs', $2, false, 1000 + i, case i when 1 then '{"s0":"plain"}' else '{}' end, '{}',
        false, now(), now(), 3, 3
      from generate_series(1, $3) i
      returning id
    ),
    history as (
      insert into activity (record_id, activity, created_at, actor_label, changes)
      select id, 'config_updated', now(), 'key', json_build_array(json_build_object('field', 'config.s499', 'before', c.before, 'after', c.after))
      from record, (values (1, null, $4), (2, $4, null)) c (number, before, after) order by id, c.number
    )
    insert into edition (record_id, number, created_at, actor_label, config)
    select id, n, now(), 'key', case n when 1 then '{}' else json_build_object('s499', $4)::text end
    from record, generate_series(1, 2) n`,
    [projectId, plugin, RECORDS, CANARY],
  );
  await rows('vacuum analyze config_record');
}

/** What is shown of some of the records, and of all. */
async function expectMasked({ rows }: RunningService, tenant: Tenant, plugin: number): Promise<void> {
  const records = await rows<{ id: number }>(
    `select id::integer as id from (select id, row_number() over (order by id) as n from config_record where plugin = $1) r
     where n in (1, 2, $2::bigint / 2, $2)`,
    [plugin, RECORDS],
  );
  expect(records.length).toBe(4);
  const paths = [
    `/plugin_configs?plugin=${plugin}`,
    '/plugin_configs/activity?limit=100',
    ...records.flatMap(({ id }) =>
      ['', '/activity', '/revisions', '/revisions/2', '/frontend'].map(
        (path) => `/plugin_configs/${id}${path}`,
      ),
    ),
  ];
  for (const path of paths) {
    const { status, body } = await tenant.call('GET', path);
    expect([path, status, JSON.stringify(body).includes(CANARY)]).toEqual([path, 200, false]);
  }
}

/** The rows that have the secret. */
async function stored({ rows }: RunningService): Promise<number> {
  const [row] = await rows<{ count: number }>(
    `select (select count(*) from activity where changes::text like $1)::integer
      + (select count(*) from edition where config like $1)::integer as count`,
    [`%${CANARY}%`],
  );
  return row?.count ?? -1;
}
