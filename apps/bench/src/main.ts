import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '@plugin-config/embedded-postgres';
import { migrate } from '@plugin-config/persistence/migrate';
import { alertsPart } from './alerts/alerts-part.ts';
import { watchedPart } from './alerts/watched-part.ts';
import { clickHousePart } from './clickhouse/clickhouse-part.ts';
import { costsPart } from './costs/costs-part.ts';
import { hopPart } from './hop/hop-part.ts';
import { httpPart } from './http/http-part.ts';
import { tokensPart } from './http/tokens-part.ts';
import { importPart } from './import/import-part.ts';
import { ingestPart } from './ingest/ingest-part.ts';
import { logPagesPart } from './log-pages/log-pages-part.ts';
import type { Part } from './part.ts';
import { runtimesPart } from './runtimes/runtimes-part.ts';
import { streamsPart } from './streams/streams-part.ts';

const PARTS: Readonly<Record<string, Part>> = {
  http: httpPart,
  hop: hopPart,
  tokens: tokensPart,
  ingest: ingestPart,
  import: importPart,
  pages: logPagesPart,
  streams: streamsPart,
  runtimes: runtimesPart,
  alerts: alertsPart,
  watched: watchedPart,
  costs: costsPart,
  clickhouse: clickHousePart,
};

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: Object.keys(PARTS).join(',') },
    rounds: { type: 'string', default: '5' },
    /** HTTP: the duration of each load, and a part of the scenario's name. */
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    /** Ingestion: the number of entries in a run. */
    entries: { type: 'string', default: '1000000' },
    /** Log pages, archive: the number of entries in the table, a tenth of them for each of two records. */
    table: { type: 'string', default: '10000000' },
    /** Import: the number of lines. */
    tenants: { type: 'string', default: '10000' },
  },
});
const options = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  only: values.only,
  entries: Number(values.entries),
  table: Number(values.table),
  tenants: Number(values.tenants),
};

const parts = values.parts.split(',').map((name) => {
  const part = PARTS[name];
  if (part === undefined) throw new Error(`--parts must be a list of ${Object.keys(PARTS).join(', ')}`);
  return part;
});

console.log(machine());
for (const part of parts) {
  const { text, errors } = await withFreshDatabase((databaseUrl) => part({ ...options, databaseUrl }));
  console.log(`\n${text}`);
  if (errors > 0) process.exitCode = 1;
}

/** Runs work on a new PostgreSQL with the settings of `npm start` and the service's empty tables. */
async function withFreshDatabase<T>(work: (databaseUrl: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plugin-config-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    await migrate(postgres.url);
    return await work(postgres.url);
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true });
  }
}

function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores (${cpu?.model.trim()}), ${memory} GiB, Node ${process.versions.node}`;
}
