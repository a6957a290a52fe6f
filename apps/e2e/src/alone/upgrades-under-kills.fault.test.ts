/** @module-tag long */

import { setTimeout as sleep } from 'node:timers/promises';
import { addProjects, addRecords } from '@plugin-config/persistence/testing/seed';
import { expect, test } from 'vitest';
import { administrator } from '../testing/administrator.ts';
import { killAndRestart } from '../testing/kills.ts';
import { registerPlugin } from '../testing/register-plugin.ts';
import { serviceOfFile } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const PLUGIN = 3;
const PROJECTS = 1_000;
const RECORDS_EACH = 10;
const RECORDS = PROJECTS * RECORDS_EACH;
/** The last record of each project needs input. */
const UPGRADED = RECORDS - PROJECTS;
const LONGEST_UPGRADE_MS = 60_000;
const LONGEST_PATCH_MS = 1_000;
const TIMEOUT_MS = 300_000;

const running = serviceOfFile();

test(
  'the records of a thousand projects are upgraded once each, while everything is killed and a neighbour goes on',
  async () => {
    const service = running();
    const client = await administrator(service);
    await registerPlugin(service, { id: PLUGIN, name: 'Mailer' });
    await client.plugins.registerVersion(PLUGIN, '1.0.0', {
      schema_version: 1,
      config_schema: [
        { key: 'address', type: 'string', required: true },
        { key: 'token', type: 'string', secret: true },
      ],
    });
    for (const projectId of await addProjects(service.database, PROJECTS)) {
      await addRecords(
        service.database,
        { projectId, family: 'plugin_configs' },
        {
          records: RECORDS_EACH,
          plugin: () => PLUGIN,
          config: (n) =>
            JSON.stringify({ address: n === RECORDS_EACH ? 'unknown' : `mail${n}:587`, token: `hunter${n}` }),
        },
      );
    }
    await service.rows('update config_record set enabled = true where plugin = $1', [PLUGIN]);
    await service.rows('vacuum analyze config_record');
    await client.plugins.registerVersion(PLUGIN, '2.0.0', {
      schema_version: 2,
      config_schema: [
        { key: 'host', type: 'string', required: true },
        { key: 'port', type: 'number' },
        { key: 'password', type: 'string', secret: true },
      ],
      migrations: [
        {
          from: 1,
          steps: [
            { split: { key: 'address', pattern: '(?<host>[^:]+):(?<port>\\d+)', numbers: ['port'] } },
            { rename: { from: 'token', to: 'password' } },
          ],
        },
      ],
    });
    await client.plugins.updateVersion(PLUGIN, '2.0.0', { state: 'current' });

    const beside = neighbourOf(await service.tenant());
    await beside.ready;
    const began = performance.now();
    const { progress } = await client.plugins.upgradeRecords(PLUGIN, '2.0.0', {});
    expect(progress.total).toBe(RECORDS);
    const done = async (): Promise<number> => {
      const [row] = await service
        .rows<{ done: number; state: string }>('select done, state from plugin_upgrade')
        .catch(() => []);
      return row?.done ?? 0;
    };
    const kills = [
      () => killAndRestart(service, 'worker'),
      () => killAndRestart(service, 'http'),
      killPostgres,
    ];
    for (const [index, kill] of kills.entries()) {
      await expect.poll(done, { timeout: TIMEOUT_MS, interval: 20 }).toBeGreaterThan(1 + index * 2_000);
      await beside.pausedFor(kill);
    }
    await expect.poll(done, { timeout: TIMEOUT_MS, interval: 50 }).toBe(RECORDS);
    const took = performance.now() - began;
    const { slowestMs, ...patches } = await beside.stop();

    expect(await (await administrator(service)).plugins.upgrade(PLUGIN, '2.0.0')).toMatchObject({
      state: 'succeeded',
      progress: { total: RECORDS, done: RECORDS, upgraded: UPGRADED, needs_input: PROJECTS, pinned: 0 },
    });
    const counted = await service.rows(
      `select r.schema_version, r.version::int as version, count(*)::int as records,
        sum((select count(*) from activity a where a.record_id = r.id))::int as entries,
        sum((select count(*) from config_revision v where v.record_id = r.id))::int as revisions
      from config_record r where r.plugin = $1 group by 1, 2 order by 1`,
      [PLUGIN],
    );
    expect(counted).toEqual([
      { schema_version: 1, version: 1, records: PROJECTS, entries: 0, revisions: 0 },
      { schema_version: 2, version: 2, records: UPGRADED, entries: UPGRADED, revisions: UPGRADED },
    ]);
    expect(patches).toEqual({ stored: expect.any(Number), rejected: 0 });
    expect(took).toBeLessThan(LONGEST_UPGRADE_MS);
    expect(slowestMs).toBeLessThan(LONGEST_PATCH_MS);
  },
  TIMEOUT_MS,
);

/** Kills a process of the server as a crash does: the server ends all its sessions and recovers from its log. */
async function killPostgres(): Promise<void> {
  const { rows } = running();
  const [victim] = await rows<{ pid: number }>(
    `select pid from pg_stat_activity
    where datname = current_database() and application_name like 'plugin-config-%' limit 1`,
  );
  // The server accepts queries until it notices, and then ends this one.
  const noticed = rows('select pg_sleep(60)').catch(() => undefined);
  await rows(`copy (select 1) to program 'kill -9 ${victim?.pid}'`).catch(() => undefined);
  await noticed;
  await expect.poll(() => rows('select 1').then(() => 'up', String), { timeout: 60_000 }).toBe('up');
}

/** Changes a record again and again. What happens during a pause, which ends with a stored change, does not count. */
function neighbourOf(tenant: Tenant) {
  const counted = { stored: 0, rejected: 0, slowestMs: 0 };
  let stored = 0;
  const stopping = new AbortController();
  let pauses = 0;
  const ready = tenant.attach();
  const patching = (async () => {
    const id = await ready;
    while (!stopping.signal.aborted) {
      const before = pauses;
      const patch = tenant.call('PATCH', `/plugin_configs/${id}`, { name: `${performance.now()}` });
      const response = await patch.catch(() => null);
      if (response?.status === 200) stored++;
      if (pauses === before && pauses % 2 === 0) {
        counted[response?.status === 200 ? 'stored' : 'rejected'] += 1;
        counted.slowestMs = Math.max(counted.slowestMs, response?.durationMs ?? 0);
      }
      await sleep(25);
    }
  })();
  return {
    ready,
    pausedFor: async (work: () => Promise<void>): Promise<void> => {
      pauses++;
      await work();
      const storedBefore = stored;
      await expect.poll(() => stored, { timeout: 10_000 }).toBeGreaterThan(storedBefore);
      pauses++;
    },
    stop: async (): Promise<typeof counted> => {
      stopping.abort();
      await patching;
      return counted;
    },
  };
}
