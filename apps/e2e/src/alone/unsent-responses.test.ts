/** @module-tag long */

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fillLog } from '../testing/fill-log.ts';
import { flood } from '../testing/flood.ts';
import { memoryOf, MIB } from '../testing/memory-of.ts';
import { neighbour } from '../testing/neighbour.ts';
import { serviceOfFile, type RunningService } from '../testing/running-service.ts';
import { openStream } from '../testing/stream.ts';
import type { Tenant } from '../testing/tenant.ts';

const CONNECTIONS = 120;
/** Covers an idle process, its cache, the pages in progress and the unsent responses. */
const MEMORY_LIMIT_BYTES = 600 * MIB;

const running = serviceOfFile();

/** Fills a history with ten pages of 4 MiB. */
async function fillHistory(
  { rows, database }: RunningService,
  { projectId }: Tenant,
  recordId: number,
): Promise<void> {
  const encrypt = await database.configurations.encrypter(database.pool, [projectId]);
  const text = randomBytes(16_000).toString('hex');
  const place = { projectId, column: 'activity.config_changes', row: recordId } as const;
  await rows(
    `insert into activity (record_id, activity, created_at, actor_label, changes, config_changes)
    select $1, 'config_updated', now(), 'key', '[{"field":"config.text"}]', $2::bytea from generate_series(1, 640)`,
    [recordId, encrypt(place, JSON.stringify([[text, text]]))],
  );
}

test('unsent responses stay within their share of memory and do not delay neighbours', async () => {
  const service = running();
  const [greedy, other] = [await service.tenant(), await service.tenant()];
  const id = await greedy.attach();
  await fillHistory(service, greedy, id);
  const bystander = await neighbour(other);
  const path = `/plugin_configs/${id}/activity?limit=1000`;
  const open = () => openStream(greedy, path, { read: false });
  const responses = await Promise.all(Array.from({ length: CONNECTIONS }, open));
  await sleep(500);
  await bystander.expectUnaffected();
  expect(memoryOf(service.http).most).toBeLessThan(MEMORY_LIMIT_BYTES);
  for (const { close } of responses) close();
});

test('pages of large texts are read sequentially and do not delay neighbours', async () => {
  const service = running();
  const greedy = await service.tenant();
  const id = await greedy.attach();
  await fillHistory(service, greedy, id);
  await fillLog(greedy, id, { batches: 4, lines: 100, message: 'x'.repeat(50_000) });
  const paths = [`/plugin_configs/${id}/activity?limit=1000`, `/plugin_configs/${id}/logs?limit=1000`];
  const sizes: number[] = [];
  await flood(service, { callers: 20, allowed: [200, 429, 503] }, async (n) => {
    const response = await fetch(`${greedy.api}/api/projects/${greedy.projectId}${paths[n % 2]}`, {
      headers: { authorization: `Bearer ${greedy.token}` },
    });
    const { byteLength } = await response.arrayBuffer();
    if (response.ok) sizes.push(byteLength);
    return response;
  });
  expect(sizes.length).toBeGreaterThan(10);
  expect(Math.max(...sizes)).toBeLessThan(5 * MIB);
  expect(memoryOf(service.http).most).toBeLessThan(MEMORY_LIMIT_BYTES);
});
