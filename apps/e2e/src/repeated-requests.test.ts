/** @module-tag long */

import { setTimeout as sleep } from 'node:timers/promises';
import { headersOf, type ProjectClient } from '@plugin-config/client';
import { openDatabase } from '@plugin-config/persistence';
import { TEST_KEYS } from '@plugin-config/persistence/testing';
import { expect, onTestFinished, test } from 'vitest';
import { killAndRestart } from './testing/kills.ts';
import { losingProxy } from './testing/losing-proxy.ts';
import { retryingProject } from './testing/retrying-project.ts';
import { serviceOfFile, type RunningService } from './testing/running-service.ts';
import type { Tenant } from './testing/tenant.ts';

/** Delays the commit of each transaction that stores a response while the lock is held. */
const HOLD_COMMITS = `
  create function hold_commit() returns trigger language plpgsql set lock_timeout = 0 as
    'begin perform pg_advisory_xact_lock(4711); return null; end';
  create constraint trigger hold_commit after insert on kept_response deferrable initially deferred
    for each row execute function hold_commit()`;

/** How long the HTTP app runs before each kill. */
const KILLED_AFTER_MS = [40, 170, 5];
/** Enough that some are in progress at each kill. */
const CREATIONS = 400;

const running = serviceOfFile();

const POSTS = {
  create: async ({ pluginConfigs }: ProjectClient) => pluginConfigs.create({ plugin: 8 }),
  job: async ({ pluginConfigs }: ProjectClient, id: number) => (await pluginConfigs.queueJob(id)).record,
};

test.for(Object.entries(POSTS))('a POST whose responses are lost takes effect once: %s', async ([, post]) => {
  const service = running();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  await using proxy = await losingProxy(tenant.api, 3);
  const response = await post(retryingProject(tenant, proxy.url), id);
  expect(proxy.lost()).toBe(3);
  expect(headersOf(response)?.get('idempotent-replayed')).toBe('true');
  expect(await recordsAndJobs(service, tenant)).toEqual(response.id === id ? [1, 1] : [2, 0]);
});

test('fifty concurrent clients with one key at two processes get one record and one response', async () => {
  const service = running();
  const tenant = await service.tenant();
  const projects = [tenant.api, await service.run('http').url()].map((url) => retryingProject(tenant, url));
  const responses = await Promise.all(
    Array.from({ length: 50 }, async (_, index) =>
      projects[index % 2]?.pluginConfigs.create({ plugin: 7, name: 'one' }, { idempotencyKey: 'fifty' }),
    ),
  );
  expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
  expect(await recordsAndJobs(service, tenant)).toEqual([1, 0]);
});

test('a repeated POST gets the first response if the app was killed after the commit', async () => {
  const service = running();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const database = openDatabase({ url: service.databaseUrl, poolSize: 1, masterKeys: TEST_KEYS });
  onTestFinished(() => database.close());
  const holder = await database.pool.connect();
  onTestFinished(() => holder.release());
  await holder.query(HOLD_COMMITS);
  onTestFinished(async () => void (await holder.query('drop function hold_commit cascade')));
  for (const post of Object.values(POSTS)) {
    await holder.query('select pg_advisory_lock(4711)');
    const posting = post(retryingProject(tenant), id);
    await expect
      .poll(() =>
        service.rows(`select from pg_locks where locktype = 'advisory' and not granted and objid = 4711`),
      )
      .toHaveLength(1);
    await service.end('http');
    await holder.query('select pg_advisory_unlock(4711)');
    await service.restart('http');
    expect(headersOf(await posting)?.get('idempotent-replayed')).toBe('true');
  }
  expect(await recordsAndJobs(service, tenant)).toEqual([2, 1]);
});

test('each creation yields one record, no matter when the app is killed', async () => {
  const service = running();
  const tenant = await service.tenant();
  const { pluginConfigs } = retryingProject(tenant);
  const names = Array.from({ length: CREATIONS }, (_, index) => `record ${index}`);
  const todo = names.values();
  const create = async (): Promise<void> => {
    for (const name of todo) expect(await pluginConfigs.create({ plugin: 7, name })).toMatchObject({ name });
  };
  const creating = Promise.all(Array.from({ length: 8 }, create));
  for (const afterMs of KILLED_AFTER_MS) {
    await sleep(afterMs);
    await killAndRestart(service, 'http');
  }
  await creating;
  const listed = await Array.fromAsync(pluginConfigs.list());
  expect(listed).toHaveLength(names.length);
  expect(new Set(listed.map(({ name }) => name))).toEqual(new Set(names));
});

async function recordsAndJobs({ rows }: RunningService, { projectId }: Tenant): Promise<readonly number[]> {
  const [counts] = await rows<{ readonly records: number; readonly jobs: number }>(
    `select (select count(*)::integer from config_record where project_id = $1) as records,
      (select count(*)::integer from job where project_id = $1) as jobs`,
    [projectId],
  );
  return [counts?.records ?? 0, counts?.jobs ?? 0];
}
