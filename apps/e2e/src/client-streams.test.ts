/** @module-tag long */

import { setTimeout as sleep } from 'node:timers/promises';
import { logSender, type PluginConfigs, type StreamOptions } from '@plugin-config/client';
import { until } from '@plugin-config/server/testing';
import { expectGuarantees, expectResumable } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { cutConnections } from './testing/kills.ts';
import { retryingProject } from './testing/retrying-project.ts';
import { revokeKey } from './testing/revoke-key.ts';
import type { RunningService } from './testing/running-service.ts';
import { sharedService } from './testing/shared-service.ts';

/** Which apps are stopped each time, how, and how long after the stream opened. */
const ENDS = [
  { afterMs: 30, signal: 'SIGKILL', apps: ['http'] },
  { afterMs: 700, signal: 'SIGTERM', apps: ['http'] },
  { afterMs: 250, signal: 'SIGKILL', apps: ['http', 'worker'] },
  { afterMs: 300, signal: 'SIGKILL', apps: ['http', 'worker'] },
] as const;
const LAST = 'the last one';
/** Leaves CPU time to the app that is starting. */
const PAUSE_MS = 25;

const running = sharedService();

test('a log is delivered and followed once and in order, and no record change is missed, while apps and sessions are killed', async () => {
  const service = running();
  const tenant = await service.tenant();
  const ids = await Promise.all(Array.from({ length: 5 }, (_, index) => tenant.attach(index + 1)));
  const [id = 0] = ids;
  const errors = new Set<string>();
  const onError = ({ code }: { readonly code: string }): unknown => errors.add(code);
  const sender = logSender({ url: tenant.ingestion, key: tenant.token, lingerMs: 5, onError });
  const log = sender.logger(id);
  const { pluginConfigs } = retryingProject(tenant);
  const ofLog = await openStream((options) => followLog(pluginConfigs, id, options));
  const ofRecords = await openStream((options) => followRecords(pluginConfigs, options));

  const sent: string[] = [];
  const send = async (message: string): Promise<void> => {
    sent.push(message);
    await log.info(message);
  };
  const restarting = restartRepeatedly(service, [ofLog, ofRecords]);
  const logging = async (): Promise<void> => {
    while (!restarting.isDone()) {
      for (let line = 0; line < 10; line++) await send(`line ${sent.length}`);
      await sleep(PAUSE_MS);
    }
  };
  const changing = async (): Promise<void> => {
    for (let change = 0; !restarting.isDone(); change++) {
      const changed = ids[change % ids.length] ?? 0;
      await pluginConfigs.update(changed, () => ({ description: `change ${change}` }));
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all([logging(), changing(), restarting.done]);
  await send(LAST);
  await pluginConfigs.create({ plugin: 6, name: LAST });

  const { stored, duplicates, dead } = await sender.close();
  expect([stored + duplicates, dead]).toEqual([sent.length, 0]);
  expect(errors).toContain('unreachable');
  const received = await ofLog.followed;
  expectGuarantees(received, sent);
  expect(ofLog.connections()).toBe(ENDS.length + 1);
  const entries = await Array.fromAsync(pluginConfigs.logs(id, { limit: 1_000 }));
  expect(entries.map(({ message }) => message).toReversed()).toEqual(sent);

  const seen = await ofRecords.followed;
  const records = await pluginConfigs.list().page();
  // Records that did not change since the stream was opened are not sent.
  for (const { id: of, description } of records.results) expect(seen.get(of) ?? null).toBe(description);
});

test('a stream can resume in another process, supports the filters of the listing, and ends when its key is revoked', async () => {
  const service = running();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const sender = logSender({ url: tenant.ingestion, key: tenant.token });
  const log = sender.logger(id);
  const { pluginConfigs } = retryingProject(tenant);
  for (const line of ['a', 'b', 'c']) await log.warn(line);
  await log.info('quiet');
  await sender.flush();

  const query = { type_filter: ['WARN'], tail: 2 };
  const [first] = await firstOf(1, pluginConfigs.streamLogs(id, query));
  expect(first?.data).toMatchObject({ message: 'b', type: 'WARN' });
  await log.warn('d');
  await sender.flush();
  const next = await firstOf(2, pluginConfigs.streamLogs(id, query, { lastEventId: first?.id }));
  expectResumable([next.map(({ event, data }) => (event === 'log' ? data.message : event))], ['c', 'd']);
  const [reset] = await firstOf(1, pluginConfigs.streamLogs(id, {}, { lastEventId: 'unknown' }));
  expect(reset).toMatchObject({ event: 'reset', data: { reason: 'malformed_cursor' } });

  const stream = await openStream((options) => followLog(pluginConfigs, id, options));
  await revokeKey(service, tenant);
  await expect(stream.followed).rejects.toMatchObject({ code: 'authentication_failed' });
  const rejected = firstOf(1, pluginConfigs.streamLogs(id));
  await expect(rejected).rejects.toMatchObject({ code: 'authentication_failed', status: 401 });
});

async function firstOf<T>(count: number, stream: AsyncIterable<T>): Promise<readonly T[]> {
  const events: T[] = [];
  for await (const event of stream) if (events.push(event) === count) break;
  return events;
}

async function followLog(
  configs: PluginConfigs,
  id: number,
  options: StreamOptions,
): Promise<readonly string[]> {
  const messages: string[] = [];
  for await (const { event, data } of configs.streamLogs(id, {}, options)) {
    if (event === 'reset') throw new Error(`The stream was reset: ${data.reason}`);
    messages.push(data.message);
    if (data.message === LAST) break;
  }
  return messages;
}

/** Returns the descriptions of the records as known to a follower that reads each record the stream names. */
async function followRecords(
  configs: PluginConfigs,
  options: StreamOptions,
): Promise<ReadonlyMap<number, string | null>> {
  const seen = new Map<number, string | null>();
  for await (const { event, data } of configs.stream(options)) {
    if (event === 'reset') throw new Error(`The stream was reset: ${data.reason}`);
    if (event === 'order') continue;
    const { name, description } = await configs.retrieve(data.id);
    seen.set(data.id, description);
    if (name === LAST) break;
  }
  return seen;
}

interface OpenStream {
  readonly connections: () => number;
}

/** Resolves when the stream has its cursor and misses no later event. */
async function openStream<T>(follow: (options: StreamOptions) => Promise<T>) {
  const opened = Promise.withResolvers<void>();
  let connections = 0;
  const onOpen = (): void => {
    connections++;
    opened.resolve();
  };
  const followed = follow({ onOpen });
  followed.catch(opened.reject);
  await opened.promise;
  return { followed, connections: () => connections };
}

/** Restarts apps several times, ends the sessions of the database, and waits for all streams to reopen each time. */
function restartRepeatedly(service: RunningService, streams: readonly OpenStream[]) {
  let isDone = false;
  const restart = async (): Promise<void> => {
    for (const { afterMs, signal, apps } of ENDS) {
      await sleep(afterMs);
      const before = streams.map(({ connections }) => connections());
      await Promise.all(apps.map((app) => service.end(app, signal)));
      await Promise.all(apps.map((app) => service.restart(app)));
      await cutConnections(service);
      await until(() => streams.every(({ connections }, index) => connections() > (before[index] ?? 0)));
    }
  };
  const done = restart().finally(() => (isDone = true));
  return { done, isDone: () => isDone };
}
