import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { findProgram } from '../../../../tools/programs.ts';
import { issueToken } from '../issue-token.ts';
import { seedRecords } from '../seed-records.ts';
import { byHttp } from './by-http.ts';
import { byJetStream } from './by-jetstream.ts';
import { copyRows } from './copy-rows.ts';
import type { IngestInput, Run, IngestPath } from './ingest-path.ts';
import { RECORDS, writeEntries } from './write-entries.ts';

export interface IngestBenchOptions {
  readonly databaseUrl: string;
  readonly rounds: number;
  readonly entries: number;
}

export interface IngestPathResult {
  readonly name: string;
  /** As a ratio to the reference. */
  readonly goal: number;
  readonly runs: readonly Run[];
  /** The number of runs with missing, duplicate or miscounted entries. */
  readonly errors: number;
}

export interface IngestResult {
  /** The seconds of the reference in each round. */
  readonly copySeconds: readonly number[];
  readonly paths: readonly IngestPathResult[];
}

const PROJECTS = 10;

interface MeasuredPath {
  readonly name: string;
  readonly goal: number;
  readonly ingestPath: IngestPath;
}

function measuredPaths(): readonly MeasuredPath[] {
  const nats = findProgram('nats-server');
  return [
    { name: 'HTTP push', goal: 0.4, ingestPath: byHttp },
    ...(nats === undefined ? [] : [{ name: 'JetStream', goal: 0.3, ingestPath: byJetStream(nats) }]),
  ];
}

/** Measures the reference and every path in each round, to give them the same conditions. */
export async function benchIngest({
  databaseUrl,
  rounds,
  entries,
}: IngestBenchOptions): Promise<IngestResult> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-bench-entries-'));
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await seedRecords(databaseUrl, PROJECTS, RECORDS / PROJECTS);
    const token = await issueToken(databaseUrl, 'plugin_log:write');
    const copySeconds: number[] = [];
    const paths = measuredPaths().map((path) => ({ ...path, runs: [] as Run[], errors: 0 }));
    for (let round = 1; round <= rounds; round++) {
      const files = await writeEntries(folder, entries);
      copySeconds.push(await copyRows(client, databaseUrl, files));
      for (const each of paths) {
        each.runs.push(await runAlone(client, each.ingestPath, { databaseUrl, token, files }));
        if (!(await isExact(client, entries))) each.errors++;
        process.stderr.write(`${each.name}, round ${round}\n`);
      }
    }
    return { copySeconds, paths };
  } finally {
    await client.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs with empty tables, after a checkpoint of the previous run's writes. */
async function runAlone(client: Client, ingestPath: IngestPath, input: IngestInput): Promise<Run> {
  await client.query('truncate log_entry, log_hour, log_project_delta');
  await client.query('checkpoint');
  return ingestPath(input);
}

interface Found {
  readonly stored: string;
  readonly counted: string;
  readonly dead: string;
}

/** Checks that exactly the sent entries are stored and counted. */
async function isExact(client: Client, entries: number): Promise<boolean> {
  const { rows } = await client.query<Found>(`
    select (select count(*) from log_entry) as stored,
      (select sum(n) from log_hour cross join unnest(counts) n) as counted,
      (select count(*) from dead_letter) as dead`);
  const [found] = rows;
  return Number(found?.stored) === entries && Number(found?.counted) === entries && found?.dead === '0';
}
