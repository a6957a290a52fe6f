import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { neighbour } from '../testing/neighbour.ts';
import { IMPATIENT, runService } from '../testing/running-service.ts';
import { openStream, type OpenedStream } from '../testing/stream.ts';

const MIB = 1024 * 1024;
const PATH = '/plugin_configs/stream';

function residentBytes(pid: number | undefined): number {
  const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

async function metric(api: string, name: string): Promise<number> {
  const text = await (await fetch(`${api}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}

test('a thousand idle streams take less than 50 MB, are kept alive, and leave nothing behind', async () => {
  await using service = await runService({}, { mains: IMPATIENT });
  const tenants = await Promise.all(Array.from({ length: 20 }, () => service.tenant()));
  const { api } = tenants[0] ?? { api: '' };
  const unharmed = await neighbour(await service.tenant());
  const warmUp = await openStream(tenants[0] ?? (await service.tenant()), PATH);
  await sleep(1000);
  const before = residentBytes(service.http.child.pid);
  const streams: OpenedStream[] = [];
  for (const tenant of tenants) {
    streams.push(...(await Promise.all(Array.from({ length: 50 }, () => openStream(tenant, PATH)))));
  }
  await until(async () => (await metric(api, 'event_streams')) === 1001);
  await until(() => streams.every(({ comments }) => comments() > 0));
  await sleep(2000);
  const taken = residentBytes(service.http.child.pid) - before;
  process.stdout.write(`1,000 idle streams take ${Math.round(taken / MIB)} MiB\n`);
  expect(taken).toBeLessThan(50 * MIB);
  for (const { comments, isEnded } of streams) expect([comments() > 0, isEnded()]).toEqual([true, false]);
  await unharmed.expectUnharmed();
  for (const { close } of [...streams, warmUp]) close();
  await until(async () => (await metric(api, 'event_streams')) === 0);
  await until(async () => (await metric(api, 'http_connections')) < 50);
}, 120_000);

test('a thousand streams that come and go leave no stream, connection or memory behind', async () => {
  await using service = await runService();
  const tenant = await service.tenant();
  const round = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i += 50) {
      const opened = await Promise.all(Array.from({ length: 50 }, () => openStream(tenant, PATH)));
      for (const { status, close } of opened) {
        expect(status).toBe(200);
        close();
      }
      await until(async () => (await metric(tenant.api, 'event_streams')) === 0);
    }
  };
  await round(1000);
  const before = residentBytes(service.http.child.pid);
  await round(1000);
  expect(residentBytes(service.http.child.pid) - before).toBeLessThan(25 * MIB);
  expect(await metric(tenant.api, 'event_stream_ends_total{reason="closed"}')).toBe(2000);
  await until(async () => (await metric(tenant.api, 'http_connections')) < 20);
}, 120_000);

test('streams that are never read take bounded memory, end, and harm nobody; a slow reader is kept', async () => {
  await using service = await runService({}, { mains: IMPATIENT });
  const [greedy, other] = [await service.tenant(), await service.tenant()];
  await service.rows(
    `insert into config_record (project_id, family, plugin, enabled, position, config, secrets, deleted,
      created_at, updated_at, version)
    select $1, 'plugin_configs', 7, false, n, '{}', '{}', false, now(), now(), 1 from generate_series(1, 150000) n`,
    [greedy.projectId],
  );
  const unharmed = await neighbour(other);
  const before = residentBytes(service.http.child.pid);
  const streams = await Promise.all(
    Array.from({ length: 20 }, () => openStream(greedy, PATH, { lastEventId: '0', read: false })),
  );
  const slow = await openStream(greedy, PATH, { lastEventId: '0', read: false });
  const reading = setInterval(() => void slow.answer.read(), 500);
  let most = 0;
  await until(async () => {
    most = Math.max(most, residentBytes(service.http.child.pid) - before);
    return (await metric(greedy.api, 'event_streams')) === 1;
  }, 20_000);
  expect(most).toBeLessThan(150 * MIB);
  expect(slow.isEnded()).toBe(false);
  clearInterval(reading);
  await until(async () => (await metric(greedy.api, 'event_streams')) === 0, 20_000);
  await unharmed.expectUnharmed();
  for (const { close } of [...streams, slow]) close();
}, 60_000);
