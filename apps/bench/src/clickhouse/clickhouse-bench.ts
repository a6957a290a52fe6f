import { clickHouseArchive, openClickHouse, type ClickHouse } from '@plugin-config/clickhouse';
import {
  createClickHouseDatabase,
  startClickHouse,
  type ClickHouseServer,
} from '@plugin-config/clickhouse/testing';
import { archiveDay } from '@plugin-config/domain';
import { openDatabase, postgresEndedDays } from '@plugin-config/persistence';
import { Client } from 'pg';
import { cpuSeconds, cpuSecondsOfServer } from '../costs/resource-use.ts';
import { prepareLogs, readPages, type PageResult } from '../log-pages/log-pages-bench.ts';
import type { PartOptions } from '../part.ts';

export interface ClickHouseResult {
  readonly archived: number;
  /** How many entries should have been archived. */
  readonly due: number;
  readonly seconds: number;
  /** The CPU seconds of both servers. */
  readonly storeCpu: number;
  readonly bytesPerEntry: { readonly postgres: number; readonly clickHouse: number };
  readonly pages: readonly PageResult[];
}

const LIMITS = { timeLimitMs: 600_000 };

/** Archives the ended days of a log table, then reads pages of a long log that spans both tiers. */
export async function benchClickHouse({
  databaseUrl,
  rounds,
  table,
}: Pick<PartOptions, 'databaseUrl' | 'rounds' | 'table'>): Promise<ClickHouseResult> {
  await using server = await startClickHouse();
  await using testDatabase = await createClickHouseDatabase(server.url);
  const clickHouse = openClickHouse({ url: testDatabase.url, cluster: null });
  const database = openDatabase({ url: databaseUrl, poolSize: 2 });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const ended = postgresEndedDays(database);
  const archive = clickHouseArchive({ clickHouse });
  try {
    const filledAt = await prepareLogs(databaseUrl, table);
    const days = await ended.due(0);
    const { bytes, due } = await sizeOf(client, days.length);
    const before = await storeCpu(client, server);
    const started = performance.now();
    let archived = 0;
    for (const day of days) archived += (await archiveDay({ ended, archive }, day)).count;
    const seconds = (performance.now() - started) / 1000;
    const cpu = (await storeCpu(client, server)) - before;
    // The server would do this about an hour after the last entry of a day.
    await clickHouse.command('optimize table log_entry final', LIMITS);
    const env = { CLICKHOUSE_URL: testDatabase.url };
    return {
      archived,
      due,
      seconds,
      storeCpu: cpu,
      bytesPerEntry: { postgres: bytes / due, clickHouse: (await bytesInClickHouse(clickHouse)) / archived },
      pages: await readPages({ databaseUrl, rounds, table, filledAt, env }),
    };
  } finally {
    await client.end();
    await Promise.all([clickHouse.close(), database.close()]);
  }
}

/** Measures the oldest days in PostgreSQL. */
async function sizeOf(client: Client, days: number) {
  const { rows } = await client.query<Record<'due' | 'bytes', string>>(
    `select sum(pg_total_relation_size(format('log_entry_%s', to_char(d.day, 'YYYYMMDD'))::regclass)) as bytes,
      sum((select count(*) from log_entry e where e.timestamp >= d.day::timestamp at time zone 'UTC'
        and e.timestamp < (d.day + 1)::timestamp at time zone 'UTC')) as due
    from (select day from log_day order by day limit $1) d`,
    [days],
  );
  return { due: Number(rows[0]?.due), bytes: Number(rows[0]?.bytes) };
}

async function storeCpu(client: Client, server: ClickHouseServer): Promise<number> {
  const { rows } = await client.query<{ readonly backend: string }>('select pg_backend_pid() as backend');
  return cpuSecondsOfServer(rows[0]?.backend) + cpuSeconds(server.pid());
}

async function bytesInClickHouse({ select }: ClickHouse): Promise<number> {
  const [row] = await select(
    `select sum(bytes_on_disk) from system.parts
     where active and database = currentDatabase() and table = 'log_entry'`,
    {},
    LIMITS,
  );
  return Number(row?.[0]);
}
