/** @module-tag long */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { metricOf } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { fillFamily } from '../testing/fill-family.ts';
import { longestStall } from '../testing/longest-stall.ts';
import { neighbour } from '../testing/neighbour.ts';
import { serviceOfFile } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const RUNTIMES = 800;
/** A response of 2.4 MB. */
const RECORDS = { records: 40, config: () => JSON.stringify({ text: 'x'.repeat(60_000) }) };
/** Starting to send all responses in one turn takes about 400 ms on an idle machine. */
const STALL_MS = 200;

const running = serviceOfFile();

/** Waits for a change with the tag of the current version, and leaves the response unread. */
async function openWait({ api, projectId, token }: Tenant, tag: string): Promise<Socket> {
  const { hostname, port, host } = new URL(api);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  await once(socket, 'connect');
  const lines = [
    `GET /api/projects/${projectId}/plugin_configs/runtime?wait=50 HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
    `If-None-Match: ${tag}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return socket;
}

test('a change to a large family is sent to all waiting runtimes without blocking others', async () => {
  const service = running();
  const [owner, other] = [await service.tenant(), await service.tenant()];
  const [id = 0] = await fillFamily(service, owner, RECORDS);
  await service.rows('update config_record set enabled = true where project_id = $1', [owner.projectId]);
  const { headers } = await owner.call('GET', '/plugin_configs/runtime');
  const tag = headers.get('etag') ?? '';
  const sockets = await Promise.all(Array.from({ length: RUNTIMES }, () => openWait(owner, tag)));
  await expect.poll(() => metricOf(owner.api, 'runtime_waits'), { timeout: 30_000 }).toBe(RUNTIMES);
  const bystander = await neighbour(other);
  const { stallMs } = await longestStall(service.http, async () => {
    const responded = sockets.map((socket) => once(socket, 'readable'));
    await owner.pluginConfigs.update(id, { name: 'Changed' });
    await Promise.all(responded);
  });
  await bystander.expectUnaffected();
  expect(stallMs).toBeLessThan(STALL_MS);
  for (const socket of sockets) socket.destroy();
});
