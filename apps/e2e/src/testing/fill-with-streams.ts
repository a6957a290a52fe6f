import { metricOf, until } from '@plugin-config/server/testing';
import { expect } from 'vitest';
import { memoryOf, MIB } from './memory-of.ts';
import { neighbour } from './neighbour.ts';
import type { RunningService } from './running-service.ts';
import { openStream, type OpenedStream } from './stream.ts';

/** Small, so nearly all streams are in use before an account exceeds its share. */
const PER_ACCOUNT = 50;

interface Limits {
  /** The maximum number of streams of the HTTP app. */
  readonly streams: number;
  /** The maximum memory that idle streams may take. */
  readonly maxBytes: number;
}

/** Opens nearly as many family and log streams as an HTTP app may have, and uses them. */
export async function fillWithStreams(
  { http, tenant }: RunningService,
  { streams: most, maxBytes }: Limits,
): Promise<void> {
  const tenants = await Promise.all(Array.from({ length: most / PER_ACCOUNT }, () => tenant()));
  const other = await tenant();
  const ids = await Promise.all(tenants.map(({ attach }) => attach()));
  const bystander = await neighbour(other);
  const before = memoryOf(http).now;
  const streams: OpenedStream[] = [];
  const rejected: OpenedStream[] = [];
  for (const [i, each] of tenants.entries()) {
    const paths = ['/plugin_configs/stream', `/plugin_configs/${ids[i]}/logs/stream`];
    const opened = Array.from({ length: PER_ACCOUNT }, (_, n) => openStream(each, paths[n % 2] ?? ''));
    const responses = await Promise.all(opened);
    streams.push(...responses.filter(({ status }) => status === 200));
    rejected.push(...responses.filter(({ status }) => status !== 200));
  }
  expect(rejected.map(({ status, response }) => [status, response.headers['retry-after']])).toEqual(
    Array.from({ length: PER_ACCOUNT / 2 }, () => [503, '5']),
  );
  expect(await metricOf(other.api, 'event_streams')).toBe(most - PER_ACCOUNT / 2);
  await until(() => streams.every(({ comments }) => comments() > 0));
  const taken = memoryOf(http).now - before;
  process.stdout.write(`${most} streams take ${Math.round(taken / MIB)} MiB\n`);
  expect(taken).toBeLessThan(maxBytes);

  const newcomer = await openStream(other, '/plugin_configs/stream');
  expect(newcomer.status).toBe(200);
  newcomer.close();
  for (const [i, each] of tenants.entries()) {
    await each.call('PATCH', `/plugin_configs/${ids[i]}`, { name: 'changed' });
    await each.push([{ plugin_config_id: ids[i], message: 'stored' }]);
  }
  await until(() => streams.every(({ events }) => events.length === 1));
  for (const { isEnded } of streams) expect(isEnded()).toBe(false);
  await bystander.expectUnaffected();
  for (const { close } of streams) close();
  await until(async () => (await metricOf(other.api, 'event_streams')) === 0);
  await until(async () => (await metricOf(other.api, 'http_connections')) < most / 10);
}
