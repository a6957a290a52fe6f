/** @module-tag long */

import { createClickHouseDatabase, startClickHouse } from '@plugin-config/clickhouse/testing';
import { until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { metricOf } from './testing/metric-of.ts';
import { runService } from './testing/running-service.ts';

test('with its logs in ClickHouse, the service stores, lists, counts and searches entries, and says when ClickHouse is away', async () => {
  await using server = await startClickHouse();
  const { url } = await createClickHouseDatabase(server.url);
  await using service = await runService({ CLICKHOUSE_URL: url });
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const lines = Array.from({ length: 30 }, (_, i) => ({
    plugin_config_id: id,
    message: `Exported ${i} events`,
    type: 'INFO',
  }));
  const stored = await tenant.push(lines);
  expect(stored.status).toBe(200);
  const logs = (query: string) => tenant.call('GET', `/plugin_configs/${id}/logs?${query}`);
  expect(await logs('limit=10')).toMatchObject({ status: 200, body: { count: 30 } });
  expect(await logs('search=EXPORTED%207%20')).toMatchObject({ status: 200, body: { count: 1 } });
  expect(await service.rows('select count(*)::int as count from log_entry')).toEqual([{ count: 0 }]);
  const ready = async () => fetch(`${await service.http.url()}/readyz`);
  expect((await ready()).status).toBe(200);
  expect(await metricOf(await service.http.url(), 'clickhouse_queries')).toBe(0);
  await server.kill();
  expect(await (await ready()).json()).toMatchObject({ detail: 'ClickHouse is out of reach.' });
  expect((await logs('limit=10')).status).toBe(503);
  expect((await tenant.call('GET', '/plugin_configs')).status).toBe(200);
  await server.start();
  await until(async () => (await ready()).status === 200);
  expect(await logs('limit=10')).toMatchObject({ status: 200, body: { count: 30 } });
});
