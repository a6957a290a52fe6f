import { anAuthor } from '@plugin-config/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WireErrorBody } from '@plugin-config/contract';
import { migrate } from '@plugin-config/persistence/migrate';
import { openEmbeddedPostgres } from '@plugin-config/embedded-postgres';
import { until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { caller, type ReceivedResponse } from '../testing/caller.ts';
import { openServiceOn } from '../testing/service.fixture.ts';

const CLIENTS = 8;
const SLOWEST_MS = 10_000;

async function embeddedDatabase() {
  const dataDir = await mkdtemp(join(tmpdir(), 'plugin-config-outage-'));
  const postgres = await openEmbeddedPostgres({ dataDir });
  const launch = async () => {
    const postmaster = await postgres.launch();
    await postmaster.ready;
    return postmaster;
  };
  const remove = async (): Promise<void> => {
    await postgres.close();
    await rm(dataDir, { recursive: true });
  };
  return { url: postgres.url, launch, remove };
}

/** Writes repeatedly, and records the responses. */
function writers(call: ReturnType<typeof caller>, ids: readonly number[]) {
  const acknowledged = new Map<number, string>();
  const rejections: ReceivedResponse<WireErrorBody>[] = [];
  const stopping = new AbortController();
  let slowest = 0;
  const write = async (id: number): Promise<void> => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const started = performance.now();
      const response = await call<WireErrorBody>('PATCH', `/plugin_configs/${id}`, {
        body: { name: `${turn}` },
      });
      slowest = Math.max(slowest, performance.now() - started);
      if (response.status === 200) acknowledged.set(id, `${turn}`);
      else rejections.push(response);
      if (response.status !== 200) await sleep(50);
    }
  };
  const all = Promise.all(ids.map(write));
  const stop = async (): Promise<void> => {
    stopping.abort();
    await all;
  };
  return { acknowledged, rejections, slowest: () => slowest, stop };
}

test('while the database is down, requests return 503 with Retry-After, and no acknowledged write is lost', async () => {
  const database = await embeddedDatabase();
  let postmaster = await database.launch();
  await migrate(database.url);
  const service = await openServiceOn(database.url);
  const { id } = await service.ports.projects.create({ name: 'One' }, anAuthor({ at: new Date() }));
  const call = caller({
    base: `${service.url}/api/projects/${id}`,
    token: (await service.issueKey()).token,
  });
  const ids: number[] = [];
  for (let i = 0; i < CLIENTS; i++)
    ids.push((await call('POST', '/plugin_configs', { body: { plugin: 1 } })).body.id);
  const load = writers(call, ids);
  await until(() => load.acknowledged.size === CLIENTS);

  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    process.kill(postmaster.pid, signal);
    await postmaster.exited;
    await until(() => load.rejections.length > CLIENTS);
    await sleep(500);
    expect((await fetch(`${service.url}/livez`)).status).toBe(200);
    for (const path of [
      '/plugin_configs',
      `/plugin_configs/${ids[0]}`,
      '/plugin_configs/1/activity',
      '/../',
    ]) {
      const { status, headers, body } = await call<WireErrorBody>('GET', path);
      expect([path, status, body]).toMatchObject([
        path,
        503,
        { type: 'server_error', code: 'unavailable', attr: null },
      ]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    postmaster = await database.launch();
    await until(async () => (await call('GET', '/plugin_configs')).status === 200);
    load.rejections.length = 0;
    const before = new Map(load.acknowledged);
    await until(() => ids.every((each) => load.acknowledged.get(each) !== before.get(each)));
    expect(load.rejections.filter(({ status }) => status !== 503)).toEqual([]);
  }

  await load.stop();
  expect(load.slowest()).toBeLessThan(SLOWEST_MS);
  for (const [record, name] of load.acknowledged) {
    expect(Number((await call('GET', `/plugin_configs/${record}`)).body.name)).toBeGreaterThanOrEqual(
      Number(name),
    );
  }
  expect(service.log.filter((line) => line.includes('"status":500'))).toEqual([]);
  await service.close();
  await postmaster.stop();
  await database.remove();
});
