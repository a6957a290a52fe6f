/** @module-tag long */

import { DAY_MS } from '@plugin-config/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import { metricOf, until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { fillLog } from '../testing/fill-log.ts';
import { flood } from '../testing/flood.ts';
import { neighbour } from '../testing/neighbour.ts';
import { serviceOfFile } from '../testing/running-service.ts';
import { tenant } from '../testing/tenant.ts';

const DEAD_LETTERS = 60_000;

const running = serviceOfFile({ LOG_RETENTION_DAYS: '7' });

const deliveryReport = (record: number) => ({
  kind: 'delivery',
  id: crypto.randomUUID(),
  plugin_config_id: record,
  timestamp: new Date().toISOString(),
  successes: 1,
  successes_on_retry: 0,
  failures: 0,
});

test('endless scrapes and readiness checks, with many dead letters, do not slow down neighbours', async () => {
  const service = running();
  await service.rows(
    `insert into dead_letter (digest, owner, number, received_at, reason, channel, project_ids, plugin_ids, position, text, missing)
     select sha256(n::text::bytea), 'account ' || n % 20, n, now(), 'not_json', 'http', '{}', '{}', 0, repeat('x', 500), 0 from generate_series(1, $1) n`,
    [DEAD_LETTERS],
  );
  /** Counts the dead letters on startup. */
  const ingestion = await service.run('worker').url();
  const { api, ...others } = await service.tenant();
  const beside = await neighbour(tenant({ ...others, api, ingestion }));
  await flood(service, { callers: 100, allowed: [200], beside }, async (n) => {
    const app = n % 2 === 0 ? api : ingestion;
    const response = await fetch(app + (n % 4 < 2 ? '/metrics' : '/readyz'));
    await response.text();
    return response;
  });
  await expect.poll(() => metricOf(ingestion, 'dead_letters')).toBe(DEAD_LETTERS);
});

test('a day past its retention is dropped despite constant searches, without slowing down neighbours', async () => {
  const service = running();
  const busy = await service.tenant();
  const record = await busy.attach();
  await fillLog(busy, record, { batches: 4, lines: 2000, message: 'x'.repeat(2000) });
  const old = new Date(Date.now() - 7 * DAY_MS).toISOString();
  expect(
    (await busy.push([{ plugin_config_id: record, timestamp: old, message: 'old' }])).body,
  ).toMatchObject({
    stored: 1,
  });
  const over = new AbortController();
  const searching = Array.from({ length: 3 }, async (_, i) => {
    await sleep(i * 100);
    const statuses = new Set<number>();
    while (!over.signal.aborted) {
      statuses.add((await busy.call('GET', `/plugin_configs/${record}/logs?search=%25nowhere`)).status);
    }
    return [...statuses];
  });
  const other = await neighbour(await service.tenant());
  await sleep(500);
  const second = service.run('worker', { LOG_RETENTION_DAYS: '6' });
  await until(() => second.stdout().includes('"msg":"days of logs were dropped"'));
  over.abort();
  expect(await Promise.all(searching)).toEqual([[200], [200], [200]]);
  await other.expectUnaffected();
});

test('a delivery rate is current within five seconds, despite another project with thousands of deliveries', async () => {
  const service = running();
  const [busy, quiet] = [await service.tenant(), await service.tenant()];
  const first = await busy.attach();
  await busy.push([deliveryReport(first)]);
  await service.rows(
    `with made as (
      insert into config_record
      select (json_populate_record(r, json_build_object('id', r.id + 100000 + n))).*
      from config_record r, generate_series(1, 20000) n where r.id = $1
      returning id, project_id
    ),
    summed as (insert into delivery_sum select id, date_trunc('hour', now()), 1, 0, 1 from made)
    insert into delivery_due (record_id, project_id, due_at) select id, project_id, '-infinity' from made`,
    [first],
  );
  const other = await neighbour(await service.tenant());
  const record = await quiet.attach();
  const began = performance.now();
  expect((await quiet.push([deliveryReport(record)])).body).toMatchObject({ stored: 1 });
  const rate = async () => (await quiet.pluginConfigs.retrieve(record)).delivery_rate_24h;
  while ((await rate()) === null && performance.now() - began < 20_000) await sleep(50);
  expect(performance.now() - began).toBeLessThan(5000);
  await other.expectUnaffected();
});
