import { readFileSync } from 'node:fs';
import { until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { neighbour } from '../testing/neighbour.ts';
import { runService } from '../testing/running-service.ts';
import { openStream, type OpenedStream } from '../testing/stream.ts';

const MIB = 1024 * 1024;
const MOST = 5_000;
const OF_KEY = 100;

function residentBytes(pid: number | undefined): number {
  const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

test('a process has 5,000 streams at once, the next one is refused, and nobody is harmed', async () => {
  await using service = await runService();
  const tenants = await Promise.all(Array.from({ length: MOST / OF_KEY }, () => service.tenant()));
  const other = await service.tenant();
  const ids = await Promise.all(tenants.map((tenant) => tenant.attach()));
  const beside = await neighbour(other);
  const before = residentBytes(service.http.child.pid);
  const streams: OpenedStream[] = [];
  for (const [i, tenant] of tenants.entries()) {
    const paths = ['/plugin_configs/stream', `/plugin_configs/${ids[i]}/logs/stream`];
    const opened = Array.from({ length: OF_KEY }, (_, n) => openStream(tenant, paths[n % 2] ?? ''));
    streams.push(...(await Promise.all(opened)));
  }
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await openStream(other, '/plugin_configs/stream');
  expect([refused.status, Number(refused.answer.headers['retry-after'])]).toEqual([503, expect.any(Number)]);
  for (const [i, tenant] of tenants.entries()) {
    await tenant.call('PATCH', `/plugin_configs/${ids[i]}`, { name: 'changed' });
    await tenant.push([{ plugin_config_id: ids[i], message: 'stored' }]);
  }
  await until(() => streams.every(({ events }) => events.length === 1), 30_000);
  const taken = residentBytes(service.http.child.pid) - before;
  process.stdout.write(`5,000 streams take ${Math.round(taken / MIB)} MiB\n`);
  expect(taken).toBeLessThan(250 * MIB);
  await beside.expectUnharmed();
  for (const { close } of streams) close();
  await until(
    async () => (await (await fetch(`${other.api}/metrics`)).text()).includes('\nevent_streams 0\n'),
    20_000,
  );
}, 120_000);
