import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { neighbour } from '../testing/neighbour.ts';
import { runService, type RunningService } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const MIB = 1024 * 1024;
const CONNECTIONS = 120;
/** The memory of an idle process, its cache, the pages in progress and the unsent answers. */
const BEARABLE_BYTES = 600 * MIB;

/** Fills a history so that the requested page has 4 MiB, and the whole history ten times as much. */
async function fillHistory({ rows }: RunningService, recordId: number): Promise<void> {
  await rows(
    `insert into activity (record_id, activity, created_at, actor_label, changes)
    select $1, 'config_updated', now(), 'key', json_build_array(
      json_build_object('field', 'config.text', 'before', repeat(md5(n::text), 1000), 'after', repeat(md5(n::text), 1000))
    ) from generate_series(1, 640) n`,
    [recordId],
  );
}

function askAndNeverRead({ api, projectId, token }: Tenant, path: string): Socket {
  const { hostname, port, host } = new URL(api);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  const lines = [
    `GET /api/projects/${projectId}${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return socket.pause();
}

function memoryOf(pid: number | undefined): number {
  const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

test('unsent answers take no more than their share, and delay nobody', async () => {
  await using service = await runService();
  const [greedy, other] = [await service.tenant(), await service.tenant()];
  const id = await greedy.attach();
  await fillHistory(service, id);
  const unharmed = await neighbour(other);
  const sockets = Array.from({ length: CONNECTIONS }, () =>
    askAndNeverRead(greedy, `/plugin_configs/${id}/activity?limit=1000`),
  );
  await sleep(6000);
  await unharmed.expectUnharmed();
  expect(memoryOf(service.http.child.pid)).toBeLessThan(BEARABLE_BYTES);
  for (const socket of sockets) socket.destroy();
}, 60_000);

test('pages of large texts are read one after the other, and delay nobody', async () => {
  await using service = await runService();
  const [greedy, other] = [await service.tenant(), await service.tenant()];
  const id = await greedy.attach();
  await fillHistory(service, id);
  const message = 'x'.repeat(50_000);
  for (let batch = 0; batch < 4; batch++) {
    const lines = Array.from({ length: 100 }, () => ({ plugin_config_id: id, message }));
    expect(await greedy.push(lines)).toMatchObject({ status: 200 });
  }
  const unharmed = await neighbour(other);
  const paths = [`/plugin_configs/${id}/activity?limit=1000`, `/plugin_configs/${id}/logs?limit=1000`];
  const sizes: number[] = [];
  const ended = performance.now() + 5000;
  const read = async (path: string): Promise<void> => {
    while (performance.now() < ended) {
      const answer = await fetch(`${greedy.api}/api/projects/${greedy.projectId}${path}`, {
        headers: { authorization: `Bearer ${greedy.token}` },
      });
      const { byteLength } = await answer.arrayBuffer();
      if (answer.ok) sizes.push(byteLength);
    }
  };
  await Promise.all(Array.from({ length: 20 }, (_, i) => read(paths[i % 2] ?? '')));
  await unharmed.expectUnharmed();
  expect(sizes.length).toBeGreaterThan(10);
  expect(Math.max(...sizes)).toBeLessThan(5 * MIB);
  expect(memoryOf(service.http.child.pid)).toBeLessThan(BEARABLE_BYTES);
}, 60_000);
