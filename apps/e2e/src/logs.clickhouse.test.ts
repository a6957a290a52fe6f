/** @module-tag long */

import type { LogEntry, Page } from '@plugin-config/client';
import { createClickHouseDatabase, startClickHouse } from '@plugin-config/clickhouse/testing';
import { metricOf, until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { runService } from './testing/running-service.ts';
import type { ReceivedResponse } from './testing/tenant.ts';

const DAY_MS = 86_400_000;
/** The archiver checks for days once a minute. */
const WITHIN_MS = 150_000;

test(
  'ended days move to ClickHouse without changing any page, and only their pages need it',
  async () => {
    await using server = await startClickHouse();
    const { url } = await createClickHouseDatabase(server.url);
    await using service = await runService({ CLICKHOUSE_URL: url });
    const tenant = await service.tenant();
    const id = await tenant.attach();
    const line = (message: string, ago: number) => ({
      plugin_config_id: id,
      message,
      type: 'INFO',
      timestamp: new Date(Date.now() - ago).toISOString(),
    });
    const lines = Array.from({ length: 30 }, (_, i) => line(`Exported ${i} events`, (i % 3) * 2 * DAY_MS));
    expect((await tenant.push(lines)).status).toBe(200);
    const logs = (query: string): Promise<ReceivedResponse<Page<LogEntry>>> =>
      tenant.call('GET', `/plugin_configs/${id}/logs?${query}`);
    const queries = ['limit=50', 'search=EXPORTED%201', 'type_filter=INFO&limit=7&offset=9'];
    const before = await Promise.all(queries.map(logs));
    expect(before.map(({ body }) => body.count)).toEqual([30, 11, 30]);
    const archived = () => service.rows('select from log_day where run > 0 and not in_postgres');
    await until(async () => (await archived()).length === 2, WITHIN_MS);
    expect((await Promise.all(queries.map(logs))).map(({ body }) => body)).toEqual(
      before.map(({ body }) => body),
    );
    expect(await service.rows('select count(*)::int as count from log_entry')).toEqual([{ count: 10 }]);
    expect(await metricOf(await service.http.url(), 'clickhouse_queries')).toBe(0);
    await server.kill();
    expect((await fetch(`${await service.http.url()}/readyz`)).status).toBe(200);
    expect((await logs('limit=50')).status).toBe(503);
    expect(await logs('limit=5')).toMatchObject({ status: 200, body: { count: 30 } });
    expect((await tenant.push([line('young', 0)])).status).toBe(200);
    await server.start();
    await until(async () => (await logs('limit=50')).status === 200);
    expect(await logs('limit=50')).toMatchObject({ body: { count: 31 } });
  },
  2 * WITHIN_MS,
);
