import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clickHouseLog, openClickHouse, type ClickHouse } from '@plugin-config/clickhouse';
import {
  createClickHouseDatabase,
  startClickHouse,
  type ClickHouseServer,
} from '@plugin-config/clickhouse/testing';
import { postgresIngestionStores } from '@plugin-config/persistence';
import { Client } from 'pg';
import { cpuSeconds, cpuSecondsOfServer } from '../costs/used.ts';
import { byHttp } from '../ingest/by-http.ts';
import { RECORDS, writeEntries } from '../ingest/write-entries.ts';
import { issueToken } from '../issue-token.ts';
import { fillLogs } from '../log-pages/fill-logs.ts';
import { LARGE_SHARE } from '../log-pages/log-of-records.ts';
import { readPages, type PageResult } from '../log-pages/log-pages-bench.ts';
import { wantedPages } from '../log-pages/wanted-pages.ts';
import type { PartOptions } from '../part.ts';
import { sampleMessage } from '../sample-message.ts';
import { seedRecords } from '../seed-records.ts';

/** What it took to store the entries of one run. */
interface StoreRun {
  readonly seconds: number;
  /** CPU seconds of the servers that store them. */
  readonly storeCpu: number;
  readonly bytesPerEntry: number;
  readonly stored: number;
}

export interface ClickHouseResult {
  readonly rounds: readonly { readonly postgres: StoreRun; readonly clickHouse: StoreRun }[];
  readonly pages: readonly PageResult[];
}

const LIMITS = { timeLimitMs: 600_000 };

interface Stores {
  readonly client: Client;
  readonly server: ClickHouseServer;
  readonly clickHouse: ClickHouse;
}

/** Stores the same entries in both stores in turn, then reads pages of a long log from ClickHouse. */
export async function benchClickHouse({
  databaseUrl,
  rounds,
  entries,
  table,
}: PartOptions): Promise<ClickHouseResult> {
  await using server = await startClickHouse();
  await using database = await createClickHouseDatabase(server.url);
  const clickHouse = openClickHouse({ url: database.url, cluster: null });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-bench-entries-'));
  const stores = { client, server, clickHouse };
  const env = { CLICKHOUSE_URL: database.url };
  try {
    await seedRecords(databaseUrl, 1, RECORDS);
    const token = await issueToken(databaseUrl, 'plugin_log:write');
    const results: ClickHouseResult['rounds'][number][] = [];
    for (let round = 1; round <= rounds; round++) {
      const input = { databaseUrl, token, files: await writeEntries(folder, entries) };
      await empty(stores);
      const postgres = await measure(stores, () => byHttp(input), sizeOfPostgres);
      const inClickHouse = await measure(stores, () => byHttp({ ...input, env }), sizeOfClickHouse);
      results.push({ postgres, clickHouse: inClickHouse });
      process.stderr.write(`ingestion, round ${round}\n`);
    }
    await empty(stores);
    await fillLogs(databaseUrl, table, (on) =>
      postgresIngestionStores({ ...on, separateLog: clickHouseLog({ clickHouse }) }),
    );
    await mergeParts(stores);
    const inLargeLog = Math.ceil(table / LARGE_SHARE);
    const wanted = [...wantedPages(inLargeLog), searchFor(`number ${inLargeLog >> 1}`, inLargeLog >> 1)];
    return { rounds: results, pages: await readPages({ databaseUrl, rounds, wanted, env }) };
  } finally {
    await client.end();
    await clickHouse.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function empty({ client, clickHouse }: Stores): Promise<void> {
  await client.query('truncate log_entry, log_hour');
  await client.query('checkpoint');
  await clickHouse.command('truncate table log_entry', LIMITS);
}

async function measure(
  stores: Stores,
  run: () => Promise<{ readonly seconds: number }>,
  size: (stores: Stores) => Promise<{ readonly bytes: number; readonly stored: number }>,
): Promise<StoreRun> {
  const before = await storeCpu(stores);
  const { seconds } = await run();
  const cpu = (await storeCpu(stores)) - before;
  const { bytes, stored } = await size(stores);
  return { seconds, storeCpu: cpu, bytesPerEntry: bytes / stored, stored };
}

/** Of both servers: with ClickHouse, PostgreSQL still holds everything else. */
async function storeCpu({ client, server }: Stores): Promise<number> {
  const { rows } = await client.query<{ readonly backend: string }>('select pg_backend_pid() as backend');
  return cpuSecondsOfServer(rows[0]?.backend) + cpuSeconds(server.pid());
}

async function sizeOfPostgres({ client }: Stores) {
  const { rows } = await client.query<Record<'stored' | 'bytes', string>>(`
    select (select count(*) from log_entry) as stored, sum(pg_total_relation_size(relid)) as bytes
    from (select relid from pg_partition_tree('log_entry') union select relid from pg_partition_tree('log_hour')) t`);
  return { stored: Number(rows[0]?.stored), bytes: Number(rows[0]?.bytes) };
}

/** The server does it by itself about an hour after the last entry of a day. */
async function mergeParts({ clickHouse }: Stores): Promise<void> {
  await clickHouse.command('optimize table log_entry final', LIMITS);
}

async function sizeOfClickHouse(stores: Stores) {
  await mergeParts(stores);
  const [row = []] = await stores.clickHouse.select(
    `select (select count() from log_entry final), sum(bytes_on_disk) from system.parts
     where active and database = currentDatabase() and table = 'log_entry'`,
    {},
    LIMITS,
  );
  return { stored: Number(row[0]), bytes: Number(row[1]) };
}

/** A text that one message has. */
function searchFor(text: string, number: number) {
  return { query: `search=${encodeURIComponent(text)}`, count: 1, messages: [sampleMessage(number)] };
}
