import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lockFamily } from '../testing/lock-family.ts';
import { neighbour } from '../testing/neighbour.ts';
import { rawSender } from '../testing/raw-sender.ts';
import { runService, type RunningService } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const MIB = 1024 * 1024;

const head = ({ projectId, token }: Tenant, ...headers: readonly string[]): string =>
  `${[
    `POST /api/projects/${projectId}/plugin_configs HTTP/1.1`,
    'Host: api',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    ...headers,
  ].join('\r\n')}\r\n\r\n`;

async function peakOf({ http }: RunningService): Promise<number> {
  const status = await readFile(`/proc/${http.child.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}

test('large bodies with a number that loses precision are parsed one after the other', async () => {
  await using service = await runService();
  const tenant = await service.tenant();
  const body = { plugin: 7, unknown: Array.from({ length: 520_000 }, () => 1) };
  const text = JSON.stringify(body).replace('[1,', '[12345678901234567890,');
  const other = await neighbour(await service.tenant());
  await sleep(300);
  const bodies = Array.from({ length: 20 }, () =>
    fetch(`${tenant.api}/api/projects/${tenant.projectId}/plugin_configs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' },
      body: text,
    }),
  );
  for (const { status } of await Promise.all(bodies)) expect([201, 503]).toContain(status);
  await other.expectUnharmed();
});

test('bodies in pieces of one byte, and bodies that never end, take little memory', async () => {
  await using service = await runService();
  const tenant = await service.tenant();
  const before = await peakOf(service);
  const pieces = await rawSender(tenant.api);
  pieces.write(head(tenant, 'Transfer-Encoding: chunked') + '1\r\n \r\n'.repeat(MIB));
  const [answer] = (await once(pieces, 'data')) as [Buffer];
  expect(answer.toString()).toContain('HTTP/1.1 400');
  const senders = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const socket = await rawSender(tenant.api);
      socket.write(head(tenant, `Content-Length: ${MIB}`) + ' '.repeat(MIB - 1));
      return socket;
    }),
  );
  const other = await neighbour(await service.tenant());
  await sleep(2000);
  await other.expectUnharmed();
  expect((await peakOf(service)) - before).toBeLessThan(200 * MIB);
  for (const socket of [pieces, ...senders]) socket.destroy();
});

test('the bodies of one key do not take all connections', async () => {
  await using service = await runService();
  const tenant = await service.tenant();
  const senders = await Promise.all(
    Array.from({ length: 2900 }, async () => {
      const socket = await rawSender(tenant.api);
      socket.write(`${head(tenant, 'Content-Length: 10')}{`);
      return socket;
    }),
  );
  await sleep(500);
  const more = await Promise.all(Array.from({ length: 200 }, () => rawSender(tenant.api)));
  for (const socket of more) socket.write(`${head(tenant, 'Content-Length: 10')}{`);
  await sleep(500);
  const other = await neighbour(await service.tenant());
  await sleep(1500);
  await other.expectUnharmed();
  for (const socket of [...senders, ...more]) socket.destroy();
});

test('jobs that wait for their family leave connections to others', async () => {
  await using service = await runService();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const locked = lockFamily(service, tenant, 5);
  const other = await neighbour(await service.tenant());
  await sleep(300);
  const jobs = Array.from({ length: 40 }, () => tenant.call('POST', `/plugin_configs/${id}/job`, {}));
  for (const { status, took } of await Promise.all(jobs)) {
    expect([200, 503]).toContain(status);
    expect(took).toBeLessThan(6_500);
  }
  await other.expectUnharmed();
  await locked;
});
