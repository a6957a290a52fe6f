/** @module-tag long */

import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { LogQuery } from '@plugin-config/client';
import { DAY_MS } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { loadOf } from '../../../../tools/property-runs.ts';
import { flood } from '../testing/flood.ts';
import { longestStall } from '../testing/longest-stall.ts';
import { MIB } from '../testing/memory-of.ts';
import { neighbour } from '../testing/neighbour.ts';
import { serviceOfFile } from '../testing/running-service.ts';

/** A batch blocks the event loop for at most 40 ms. The measurement adds up to 10 ms. */
const STALL_MS = 50;
/** The best of several tries counts. */
const TRIES = 20;

const running = serviceOfFile();

test('a neighbour waits for about one batch, however many pushes from another key are queued', async () => {
  const service = running();
  const [one, other] = [await service.tenant(), await service.tenant()];
  const pushes = loadOf(100);
  const lines = 500;
  const id = await one.attach();
  const bystander = await neighbour(other);
  const body = [
    Array.from({ length: lines }, (_, i) =>
      JSON.stringify({ plugin_config_id: id, message: `line ${i}` }),
    ).join('\n'),
  ];
  const pushed = await Promise.all(
    Array.from({ length: pushes }, () => pushWithRetries(() => one.push(body))),
  );
  await bystander.expectUnaffected();
  expect(pushed.reduce((sum, stored) => sum + stored, 0)).toBe(pushes * lines);
});

test('a plugin that puts ids into its log types does not slow down neighbours, and can filter by them', async () => {
  const service = running();
  const tenant = await service.tenant();
  const [pushes, lines] = [loadOf(4), 5000];
  const other = await neighbour(await service.tenant());
  const id = await tenant.attach();
  const yesterday = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
  for (let push = 0; push < pushes; push++) {
    const batch = Array.from({ length: lines }, (_, i) => {
      const at = (i * pushes + push) / (pushes * lines);
      const timestamp = new Date(yesterday + at * DAY_MS).toISOString();
      return { plugin_config_id: id, message: `m${push}`, type: `ID_${push}_${i}`, timestamp };
    });
    const { status, body } = await tenant.push([
      { plugin_config_id: id, message: '', type: 'ERROR' },
      ...batch,
    ]);
    expect([status, body]).toEqual([200, { stored: lines + 1, duplicates: 0, dead: 0 }]);
  }
  const found = async (query: LogQuery) =>
    (await tenant.pluginConfigs.logs(id, { ...query, limit: 1 }).page()).count;
  expect(await found({ source: 'PLUGIN' })).toBe(pushes * (lines + 1));
  expect(await found({ type_filter: ['ERROR'] })).toBe(pushes);
  expect(await found({ type_filter: ['ID_3_4999'] })).toBe(1);
  await other.expectUnaffected();
  const [hours] = await service.rows<{ readonly rows: number }>(
    `select count(*)::integer as rows from log_hour where record_id = ${id}`,
  );
  expect(hours?.rows).toBeLessThanOrEqual(26);
});

const linesOf = (id: number): string =>
  `${JSON.stringify({ plugin_config_id: id, message: 'x'.repeat(200) })}\n`.repeat(1_000);

test.for([
  ['compressed blank lines', 16, () => gzipSync(Buffer.alloc(16 * MIB, '\n'))],
  ['plain lines', 200, linesOf],
  ['compressed lines', 200, (id: number) => gzipSync(linesOf(id))],
] as const)(
  'endless pushes of %s on %i connections do not slow down neighbours',
  async ([form, callers, bodyOf]) => {
    const service = running();
    const { token, ingestion, attach } = await service.tenant();
    const body = bodyOf(await attach());
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-ndjson',
      ...(form.startsWith('compressed') && { 'content-encoding': 'gzip' }),
    };
    const statuses = await flood(service, { callers, allowed: [200, 429, 503] }, async () => {
      const response = await fetch(`${ingestion}/ingest`, { method: 'POST', headers, body });
      await response.text();
      return response;
    });
    expect(statuses.get(200)).toBeGreaterThan(0);
  },
);

test('lines of nested lists do not block the worker', async () => {
  const { worker, tenant } = running();
  const { push } = await tenant();
  const lists = 500_000;
  const line = `{"plugin_config_id":1,"message":"","more":${'['.repeat(lists)}${']'.repeat(lists)}}`;
  const { result, stallMs } = await longestStall(worker, () => push([line, line, line, line]));
  expect(result.body).toMatchObject({ dead: 4 });
  expect(stallMs).toBeLessThan(100);
});

test('batches full of lines that are no JSON do not block the worker', async () => {
  const { worker, tenant } = running();
  const { push } = await tenant();
  const lines = ['junk line\n'.repeat(10_000)];
  let shortest = Infinity;
  for (let n = 0; n < TRIES && shortest >= STALL_MS; n++) {
    const { result, stallMs } = await longestStall(worker, () => push(lines));
    expect(result.body).toMatchObject({ dead: 10_000 });
    shortest = Math.min(shortest, stallMs);
  }
  expect(shortest).toBeLessThan(STALL_MS);
});

/** Repeats a rejected push after Retry-After, as senders do. */
async function pushWithRetries(
  push: () => Promise<{ readonly status: number; readonly body: { readonly stored: number } }>,
): Promise<number> {
  for (;;) {
    const { status, body } = await push();
    if (status === 200) return body.stored;
    expect([429, 503]).toContain(status);
    await sleep(1000);
  }
}
