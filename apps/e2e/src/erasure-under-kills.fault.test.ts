/** @module-tag long */

import { setTimeout as sleep } from 'node:timers/promises';
import { dumpTables } from '@plugin-config/persistence/testing';
import { expect, test } from 'vitest';
import { propertyRuns, propertyTimeout } from '../../../tools/property-runs.ts';
import { administrator } from './testing/administrator.ts';
import { serviceOfFile, type RunningService } from './testing/running-service.ts';
import type { Tenant } from './testing/tenant.ts';

const ROUNDS = propertyRuns(1);
const TIMEOUT_MS = propertyTimeout(180_000);
const KILLS = 4;
const CANARY = 'canary-4711';
/** The one table that may keep rows: lines for missing records become dead letters, which expire by retention. */
const LEFT_TO_RETENTION = 'dead_letter';
const GONE = new Set([401, 404]);

const running = serviceOfFile();

/** Sends all kinds of writes until stopped. Collects the statuses of writes that began after `end`. */
function traffic(tenant: Tenant, record: number, mark: string) {
  const afterwards = new Set<number>();
  let hasEnded = false;
  const stopping = new AbortController();
  const line = { plugin_config_id: record, type: 'LOG', message: mark };
  const writes = [
    () => tenant.call('PATCH', `/plugin_configs/${record}`, { name: `${mark} ${performance.now()}` }),
    () => tenant.call('PUT', `/plugin_configs/${record}/config`, { host: `${mark} ${performance.now()}` }),
    () => tenant.call('POST', '/plugin_configs', { plugin: 8, name: mark }),
    () => tenant.call('POST', `/plugin_configs/${record}/job`, { description: mark }),
    () => tenant.call('PUT', '/plugin_configs/runtimes/one', { version: mark, status: 'applied' }),
    () => tenant.call('PATCH', '/plugin_configs/rearrange', { plugin: 7, order: 1 }),
  ];
  const loops = writes.map(async (write) => {
    while (!stopping.signal.aborted) {
      const began = hasEnded;
      const { status } = await write();
      if (began) afterwards.add(status);
    }
  });
  const pushes = (async () => {
    // A push fails while the worker is down.
    while (!stopping.signal.aborted) await tenant.push([line, line]).catch(() => sleep(20));
  })();
  return {
    end: () => (hasEnded = true),
    stop: async (): Promise<ReadonlySet<number>> => {
      stopping.abort();
      await Promise.all([...loops, pushes]);
      return afterwards;
    },
  };
}

async function killWorkerRepeatedly(service: RunningService, round: number): Promise<void> {
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(100 + ((round * 53 + kill * 137) % 400));
    await service.end('worker');
    // Instead of waiting until its leases have ended.
    await service.rows('update task set lease_until = null');
    await service.restart('worker');
  }
}

test(
  'a project that is deleted under load leaves nothing, however often the worker is killed',
  async () => {
    const service = running();
    const { project, erasures } = await administrator(service);
    const neighbour = await service.tenant();
    const kept = await neighbour.attach();
    const beside = traffic(neighbour, kept, 'kept');
    for (let round = 0; round < ROUNDS; round++) {
      const tenant = await service.tenant();
      const record = await tenant.attach();
      const load = traffic(tenant, record, CANARY);
      await sleep(300);
      await project(tenant.projectId).delete({ name: 'Tenant' });
      load.end();
      await killWorkerRepeatedly(service, round);
      const statuses = await load.stop();
      expect([...statuses].filter((status) => !GONE.has(status))).toEqual([]);
      await expect.poll(async () => (await erasures.retrieve(tenant.projectId)).state).toBe('done');
      const { [LEFT_TO_RETENTION]: _, ...tables } = await dumpTables(service.database);
      const left = Object.values(tables).flat();
      expect(left.filter((row) => row.includes(CANARY))).toEqual([]);
    }
    beside.end();
    expect([...(await beside.stop())].filter((status) => status >= 400)).toEqual([]);
    expect((await neighbour.call('GET', `/plugin_configs/${kept}`)).status).toBe(200);
  },
  TIMEOUT_MS,
);
