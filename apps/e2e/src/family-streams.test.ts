import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { cutConnections } from './testing/kills.ts';
import { sharedService } from './testing/shared-service.ts';
import { openStream, type OpenedStream } from './testing/stream.ts';
import { tenant as tenantAt, type Tenant } from './testing/tenant.ts';

const PATH = '/plugin_configs/stream';
const UNREACHABLE_MS = 1_500;

const running = sharedService();

interface Shown {
  readonly id: number;
  readonly version: number;
}

/** Returns the highest version of each record in the events; throws if a stream repeats one. */
function versionsIn(streams: readonly OpenedStream[]): Map<number, number> {
  const versions = new Map<number, number>();
  for (const { event, data } of streams.flatMap(({ events }) => events)) {
    if (event !== 'record') continue;
    const { id, version } = data as Shown;
    expect(version, `record ${id} is sent twice`).toBeGreaterThan(versions.get(id) ?? 0);
    versions.set(id, version);
  }
  return versions;
}

/** Changes records until stopped. Resolves to the final version of each. */
async function changing(tenant: Tenant, ids: readonly number[], isStopped: () => boolean) {
  const versions = new Map<number, number>();
  for (let i = 0; !isStopped(); i++) {
    const id = ids[i % ids.length] ?? 0;
    const { status, headers } = await tenant
      .call('PATCH', `/plugin_configs/${id}`, { name: `name ${i}` })
      .catch(() => ({ status: 0, headers: new Headers() }));
    if (status === 200) versions.set(id, Number(/\.(\d+)-/.exec(headers.get('etag') ?? '')?.[1]));
    await sleep(5);
  }
  return versions;
}

test('a stream resumes at another process after kill -9, without gaps or duplicates', async () => {
  const service = running();
  const tenant = await service.tenant();
  const app = service.run('http');
  const api = await app.url();
  const ids = [await tenant.attach(), await tenant.attach(), await tenant.attach()];
  let isStopped = false;
  const changes = changing(tenant, ids, () => isStopped);
  const first = await openStream(tenant, PATH, { api });
  await until(() => first.events.length > 20);
  app.child.kill('SIGKILL');
  await until(first.isEnded);
  await sleep(300);
  const second = await openStream(tenant, PATH, { lastEventId: first.lastId() });
  await until(() => second.events.length > 20);
  isStopped = true;
  const versions = await changes;
  const reached = () => versionsIn([first, second]);
  await until(() => [...versions].every(([id, version]) => reached().get(id) === version));
  second.close();
});

test(
  'two processes send the same changes, regardless of which one stored them',
  { tags: ['long'] },
  async () => {
    const service = running();
    const tenant = await service.tenant();
    const other = service.run('http');
    const elsewhere = await other.url();
    const streams = [await openStream(tenant, PATH), await openStream(tenant, PATH, { api: elsewhere })];
    const id = await tenant.attach();
    for (const api of [tenant.api, elsewhere]) {
      await tenantAt({ ...tenant, api }).call('PATCH', `/plugin_configs/${id}`, { name: api });
      const version = api === tenant.api ? 2 : 3;
      await until(() => streams.every((stream) => versionsIn([stream]).get(id) === version));
    }
    for (const stream of streams) stream.close();
    other.child.kill('SIGKILL');
  },
);

test('streams stay open while the database is unreachable, and then continue', async () => {
  const service = running();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const stream = await openStream(tenant, PATH);
  const ends = performance.now() + UNREACHABLE_MS;
  while (performance.now() < ends) {
    await cutConnections(service);
    await sleep(20);
  }
  await until(
    async () => (await tenant.call('PATCH', `/plugin_configs/${id}`, { name: 'back' })).status === 200,
  );
  await until(() => versionsIn([stream]).get(id) === 2);
  expect(stream.isEnded()).toBe(false);
  stream.close();
});

test('a stopping process ends its streams without waiting for them', async () => {
  const service = running();
  const tenant = await service.tenant();
  const app = service.run('http');
  const api = await app.url();
  const streams = await Promise.all(Array.from({ length: 50 }, () => openStream(tenant, PATH, { api })));
  const started = performance.now();
  app.child.kill('SIGTERM');
  expect(await app.exited).toBe(0);
  expect(performance.now() - started).toBeLessThan(5000);
  for (const { events } of streams) {
    expect(events).toMatchObject([{ event: 'end', data: { reason: 'shutdown' } }]);
  }
});
