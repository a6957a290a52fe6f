/** @module-tag long */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { movingAddress, replicatedServersOfFile } from '@plugin-config/persistence/testing';
import { metricOf, until } from '@plugin-config/server/testing';
import { expect, onTestFinished, test } from 'vitest';
import { runService } from '../testing/running-service.ts';
import { openStream } from '../testing/stream.ts';
import type { ReceivedResponse, Tenant } from '../testing/tenant.ts';

const startServers = replicatedServersOfFile();

const BACK_WITHIN_MS = 5_000;
/** Longer than a request may wait for the database. */
const SLOWEST_MS = 8_000;

async function start({ isSynchronous }: { readonly isSynchronous: boolean }) {
  const servers = await startServers({ isSynchronous });
  onTestFinished(() => servers[Symbol.asyncDispose]());
  const address = await movingAddress(servers.primary.url);
  const service = await runService({}, { databaseUrl: address.url });
  onTestFinished(() => service[Symbol.asyncDispose]());
  return { ...servers, address, service, tenant: await service.tenant() };
}

/** Calls repeatedly until stopped, and collects the responses. */
function load(tenant: Tenant, records: readonly number[]) {
  const stopping = new AbortController();
  const responses: {
    readonly kind: string;
    readonly at: number;
    readonly response: ReceivedResponse<unknown>;
  }[] = [];
  const acknowledged = { names: new Map<number, number>(), created: [] as number[], entries: [] as string[] };
  const repeat = async (kind: string, call: () => Promise<ReceivedResponse<unknown>>): Promise<void> => {
    while (!stopping.signal.aborted) {
      const response = await call();
      responses.push({ kind, at: performance.now(), response });
      await sleep(response.status < 300 ? 5 : 50);
    }
  };
  const rename = (id: number) => {
    let n = 0;
    return async () => {
      const response = await tenant.call('PATCH', `/plugin_configs/${id}`, { name: String(++n) });
      if (response.status === 200) acknowledged.names.set(id, n);
      return response;
    };
  };
  const running = [
    ...records.map((id) => repeat('write', rename(id))),
    repeat('write', async () => {
      const response = await tenant.call<{ id: number }>('POST', '/plugin_configs', { plugin: 7 });
      if (response.status === 201) acknowledged.created.push(response.body.id);
      return response;
    }),
    repeat('read', () => tenant.call('GET', `/plugin_configs/${records[0]}`)),
    repeat('read', () => tenant.call('GET', '/plugin_configs?limit=5')),
    ...records.map((id) =>
      repeat('ingestion', async () => {
        const ids = Array.from({ length: 10 }, () => randomUUID());
        const lines = ids.map((entry) => ({
          id: entry,
          timestamp: new Date().toISOString(),
          plugin_config_id: id,
          message: 'Delivered',
        }));
        const response = await tenant.push(lines);
        if (response.status === 200) acknowledged.entries.push(...ids);
        return response;
      }),
    ),
  ];
  return {
    acknowledged,
    responses,
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

test('when the primary is killed under load, acknowledged writes survive and the service recovers at once', async () => {
  const { primary, standby, promote, address, service, tenant } = await start({ isSynchronous: true });
  const records = [await tenant.attach(), await tenant.attach()];
  const stream = await openStream(tenant, '/plugin_configs/stream');
  const { acknowledged, responses, stop } = load(tenant, records);
  await until(() => acknowledged.entries.length > 100 && acknowledged.created.length > 10);
  await primary.kill();
  await sleep(1_000);
  const promotedAt = performance.now();
  address.moveTo(standby.url);
  await promote();
  const isBack = (kind: string): boolean =>
    responses.some((one) => one.kind === kind && one.at > promotedAt && one.response.status < 300);
  await until(() => ['read', 'write', 'ingestion'].every(isBack), BACK_WITHIN_MS);
  await sleep(1_000);
  await stop();

  const rejected = responses.filter(({ response }) => response.status >= 300);
  expect(rejected.length).toBeGreaterThan(0);
  for (const { response } of rejected) {
    expect(response).toMatchObject({ status: 503 });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(Math.max(...responses.map(({ response }) => response.durationMs))).toBeLessThan(SLOWEST_MS);

  const stored = await standby.query<{ id: string; name: string | null }>(
    'select id, name from config_record',
  );
  const nameById = new Map(stored.map(({ id, name }) => [Number(id), Number(name)]));
  for (const [id, n] of acknowledged.names) expect(nameById.get(id)).toBeGreaterThanOrEqual(n);
  expect(acknowledged.created.filter((id) => !nameById.has(id))).toEqual([]);
  const entries = new Set(
    (await standby.query<{ id: string }>('select id from log_entry')).map(({ id }) => id),
  );
  expect(acknowledged.entries.filter((id) => !entries.has(id))).toEqual([]);
  for (const id of records) {
    expect(await tenant.pluginConfigs.retrieve(id)).toMatchObject({ name: String(nameById.get(id)) });
  }

  const later = await tenant.attach();
  await until(() => stream.events.some(({ data }) => (data as { id?: number }).id === later));
  expect(await metricOf(tenant.api, 'database_failovers_total')).toBe(1);
  expect(service.http.stdout()).toContain('the database has failed over');
});

test('after a failover that lost commits, no process remembers them', async () => {
  const { primary, standby, promote, cutOff, address, tenant } = await start({ isSynchronous: false });
  const id = await tenant.attach();
  const read = async () => {
    const [one, list, site] = await Promise.all([
      tenant.call<{ name: string | null }>('GET', `/plugin_configs/${id}`),
      tenant.call<{ results: readonly { name: string | null }[] }>('GET', '/plugin_configs'),
      tenant.call<{ count: number }>('GET', `/plugin_configs/${id}/logs`),
    ]);
    return {
      statuses: [one.status, list.status, site.status],
      names: [one.body.name, list.body.results[0]?.name],
      entries: site.body.count,
    };
  };
  await until(async () => (await standby.query(`select from config_record where id = ${id}`)).length === 1);
  await cutOff();
  const stream = await openStream(tenant, '/plugin_configs/stream');
  for (const name of ['Lost', 'Lost as well']) await tenant.pluginConfigs.update(id, { name });
  const push = () => tenant.push([{ plugin_config_id: id, message: 'Delivered' }]);
  expect((await push()).body).toMatchObject({ stored: 1 });
  await until(async () => (await read()).entries === 1);
  expect(await read()).toEqual({
    statuses: [200, 200, 200],
    names: ['Lost as well', 'Lost as well'],
    entries: 1,
  });
  await until(() => stream.events.some(({ data }) => (data as { id?: number }).id === id));

  await primary.kill();
  address.moveTo(standby.url);
  await promote();
  await until(async () => (await tenant.call('GET', `/plugin_configs/${id}`)).status === 200, BACK_WITHIN_MS);
  expect(await read()).toEqual({ statuses: [200, 200, 200], names: [null, null], entries: 0 });
  await until(() => stream.events.some(({ event }) => event === 'reset'));
  await until(async () => (await push()).status === 200, BACK_WITHIN_MS);
  await until(async () => (await read()).entries > 0);
  await tenant.pluginConfigs.update(id, { name: 'Kept' });
  expect((await read()).names).toEqual(['Kept', 'Kept']);
});
