/** @module-tag long */

import { pluginConfigClient } from '@plugin-config/client';
import { expectOrdered, expectReliable, expectUnique } from '@plugin-config/testing';
import { test } from 'vitest';
import { runService } from './testing/running-service.ts';
import { take } from './testing/take.ts';
import type { Tenant } from './testing/tenant.ts';

const BATCH = 40;
const BATCHES = 20;
const KILLS = 2;

/** Pushes batches until all are stored, despite restarts of the worker. Returns the messages. */
async function pushAll(tenant: Tenant, id: number, batches: number): Promise<readonly string[]> {
  const messages: string[] = [];
  for (let batch = 0; batch < batches; batch++) {
    const lines = Array.from({ length: BATCH }, (_, i) => ({
      plugin_config_id: id,
      id: crypto.randomUUID(),
      timestamp: new Date().toISOString(),
      message: `${batch} ${i}`,
    }));
    messages.push(...lines.map(({ message }) => message));
    while ((await tenant.push(lines).catch(() => null))?.status !== 200) await pause(50);
  }
  return messages;
}

/** Entries of a batch are committed together. */
const batchOf = (message: string): string => message.split(' ')[0] ?? '';

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, milliseconds));

const configsOf = ({ api, token, projectId }: Tenant) =>
  pluginConfigClient({ url: api, key: token }).project(projectId).pluginConfigs;

test('a stream sends every entry once, even if the apps are killed and database sessions end', async () => {
  await using service = await runService();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const opened = Promise.withResolvers<void>();
  const stream = configsOf(tenant).streamLogs(id, {}, { onOpen: () => opened.resolve() });
  const taken = take(stream, BATCHES * BATCH);
  await opened.promise;
  const pushed = pushAll(tenant, id, BATCHES);
  for (let kills = 0; kills < KILLS; kills++) {
    await pause(300);
    await Promise.all([service.end('worker'), service.end('http')]);
    await Promise.all([service.restart('worker'), service.restart('http')]);
    await service.rows(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  }
  const messages = await pushed;
  // A single sender pushes batches sequentially, so the order of the commits is known.
  const received = await taken;
  expectUnique(received);
  expectReliable(received, messages);
  expectOrdered(received.map(batchOf), [...new Set(messages.map(batchOf))]);
});
