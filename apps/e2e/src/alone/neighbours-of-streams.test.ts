import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fillFamily } from '../testing/fill-family.ts';
import { neighbour } from '../testing/neighbour.ts';
import { runService } from '../testing/running-service.ts';
import { openStream } from '../testing/stream.ts';
import { take } from '../testing/take.ts';
import type { Tenant } from '../testing/tenant.ts';

const GOING_MS = 6_000;

/** Repeats the work until the time is up, in this many loops. Returns how often it was done. */
async function hard(loops: number, work: (loop: number) => Promise<void>): Promise<number> {
  const ends = performance.now() + GOING_MS;
  let times = 0;
  const loop = async (_: unknown, number: number): Promise<void> => {
    while (performance.now() < ends) {
      await work(number);
      times++;
    }
  };
  await Promise.all(Array.from({ length: loops }, loop));
  return times;
}

test('polls of what has changed in a large family harm no neighbour', async () => {
  await using service = await runService();
  const [greedy, other] = [await service.tenant(), await service.tenant()];
  await fillFamily(service, greedy, { records: 12_000 });
  const id = await greedy.attach();
  const beside = await neighbour(other);
  let seen = 0;
  const times = await hard(24, async (loop) => {
    const since = `/plugin_configs?changed_since=${loop % 2}&limit=1000&offset=${(loop % 12) * 1000}`;
    const { status, body } = await (loop === 0
      ? greedy.call<Listed>('PATCH', `/plugin_configs/${id}`, { name: crypto.randomUUID() })
      : greedy.call<Listed>('GET', since));
    expect([200, 429, 503]).toContain(status);
    seen += body.results?.length ?? 0;
  });
  await beside.expectUnharmed();
  expect([times > 50, seen > 1000]).toEqual([true, true]);
}, 60_000);

interface Listed {
  readonly results?: readonly unknown[];
}

async function fillLog(tenant: Tenant, id: number): Promise<void> {
  const message = 'x'.repeat(50_000);
  for (let batch = 0; batch < 5; batch++) {
    const lines = Array.from({ length: 200 }, () => ({ plugin_config_id: id, message }));
    expect(await tenant.push(lines)).toMatchObject({ status: 200 });
  }
}

test('a hundred streams that begin with a large tail again and again harm no neighbour', async () => {
  await using service = await runService();
  const [greedy, other] = [await service.tenant(), await service.tenant()];
  const id = await greedy.attach();
  await fillLog(greedy, id);
  const beside = await neighbour(other);
  let entries = 0;
  const times = await hard(100, async () => {
    const stream = await openStream(greedy, `/plugin_configs/${id}/logs/stream?tail=1000`);
    expect([200, 429, 503]).toContain(stream.status);
    await sleep(100);
    entries += stream.events.length;
    stream.close();
  });
  await beside.expectUnharmed();
  expect([times > 100, entries > 100]).toEqual([true, true]);
}, 60_000);

test('thousands of callers that open a stream and leave at once harm no neighbour', async () => {
  await using service = await runService();
  const [greedy, other] = [await service.tenant(), await service.tenant()];
  const id = await greedy.attach();
  const beside = await neighbour(other);
  const paths = ['/plugin_configs/stream', `/plugin_configs/${id}/logs/stream?tail=10`];
  const times = await hard(50, async (loop) => {
    const stream = await openStream(greedy, paths[loop % 2] ?? '', {
      lastEventId: loop % 3 === 0 ? '0' : null,
    });
    expect([200, 429, 503]).toContain(stream.status);
    stream.close();
  });
  await beside.expectUnharmed();
  expect(times).toBeGreaterThan(500);
}, 60_000);

test('a flood of one log with a stream that nobody reads harms no neighbour', async () => {
  await using service = await runService();
  const [flooded, quiet] = [await service.tenant(), await service.tenant()];
  const id = await flooded.attach();
  const own = await quiet.attach();
  const path = `${flooded.api}/api/projects/${flooded.projectId}/plugin_configs/${id}/logs/stream`;
  const unread = await fetch(path, { headers: { authorization: `Bearer ${flooded.token}` } });
  const opened = Promise.withResolvers<void>();
  const heard = take(quiet.pluginConfigs.streamLogs(own, {}, { onOpen: opened.resolve }), 20);
  await opened.promise;
  const beside = await neighbour(await service.tenant());
  const lines = Array.from({ length: 1000 }, () => ({ plugin_config_id: id, message: 'x'.repeat(2000) }));
  for (let i = 0; i < 20; i++) {
    await flooded.push(lines);
    await quiet.push([{ plugin_config_id: own, message: `${i}` }]);
  }
  expect(await heard).toEqual(Array.from({ length: 20 }, (_, i) => `${i}`));
  await beside.expectUnharmed();
  await unread.body?.cancel();
});
