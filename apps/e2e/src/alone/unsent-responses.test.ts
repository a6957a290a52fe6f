/** @module-tag long */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { keepCalling } from '../testing/keep-calling.ts';
import { memoryOf, MIB } from '../testing/memory-of.ts';
import { neighbour } from '../testing/neighbour.ts';
import { serviceOfFile, type RunningService } from '../testing/running-service.ts';
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

/** Requests a path and reads only the start of the response. */
async function openRequest({ api, projectId, token }: Tenant, path: string): Promise<Socket> {
  const { hostname, port, host } = new URL(api);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  const lines = [
    `GET /api/projects/${projectId}${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  return socket.pause();
}

test('unsent responses stay within their share of memory and do not delay neighbours', async () => {
  const service = running();
  const [greedy, other] = [await service.tenant(), await service.tenant()];
  const id = await greedy.attach();
  await fillHistory(service, greedy, id);
  const bystander = await neighbour(other);
  const requests = Array.from({ length: CONNECTIONS }, () =>
    openRequest(greedy, `/plugin_configs/${id}/activity?limit=1000`),
  );
  const sockets = await Promise.all(requests);
  await sleep(500);
  await bystander.expectUnaffected();
  expect(memoryOf(service.http).most).toBeLessThan(MEMORY_LIMIT_BYTES);
  for (const socket of sockets) socket.destroy();
});

test('pages of large texts are read sequentially and do not delay neighbours', async () => {
  const service = running();
  const [greedy, other] = [await service.tenant(), await service.tenant()];
  const id = await greedy.attach();
  await fillHistory(service, greedy, id);
  const message = 'x'.repeat(50_000);
  for (let batch = 0; batch < 4; batch++) {
    const lines = Array.from({ length: 100 }, () => ({ plugin_config_id: id, message }));
    expect(await greedy.push(lines)).toMatchObject({ status: 200 });
  }
  const bystander = await neighbour(other);
  const paths = [`/plugin_configs/${id}/activity?limit=1000`, `/plugin_configs/${id}/logs?limit=1000`];
  const sizes: number[] = [];
  await keepCalling(20, async (n) => {
    const response = await fetch(`${greedy.api}/api/projects/${greedy.projectId}${paths[n % 2]}`, {
      headers: { authorization: `Bearer ${greedy.token}` },
    });
    const { byteLength } = await response.arrayBuffer();
    if (response.ok) sizes.push(byteLength);
    return response.status;
  });
  await bystander.expectUnaffected();
  expect(sizes.length).toBeGreaterThan(10);
  expect(Math.max(...sizes)).toBeLessThan(5 * MIB);
  expect(memoryOf(service.http).most).toBeLessThan(MEMORY_LIMIT_BYTES);
});
