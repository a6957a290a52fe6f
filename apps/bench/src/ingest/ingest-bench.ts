import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { findProgram } from '../../../../tools/programs.ts';
import { issueToken } from '../issue-token.ts';
import { seedRecords } from '../seed-records.ts';
import { byFile } from './by-file.ts';
import { byHttp } from './by-http.ts';
import { byJetStream } from './by-jetstream.ts';
import { copyRows } from './copy-rows.ts';
import { isExact } from './is-exact.ts';
import type { IngestInput, Run, IngestPath } from './ingest-path.ts';
import { RECORDS, writeEntries } from './write-entries.ts';

export interface IngestBenchOptions {
  readonly databaseUrl: string;
  readonly rounds: number;
  readonly entries: number;
}

export interface IngestPathResult {
  readonly name: string;
  /** The goal, as a ratio to the reference. */
  readonly goal: number;
  readonly runs: readonly Run[];
  /** The number of runs with missing, duplicate or miscounted entries. */
  readonly wrong: number;
}

export interface IngestResult {
  /** The seconds of the reference, one for each round. */
  readonly copySeconds: readonly number[];
  readonly paths: readonly IngestPathResult[];
}

const PROJECTS = 10;

interface Contestant {
  readonly name: string;
  readonly goal: number;
  readonly ingestPath: IngestPath;
}

function contestants(): readonly Contestant[] {
  const nats = findProgram('nats-server');
  return [
    { name: 'HTTP push', goal: 0.4, ingestPath: byHttp },
    { name: 'file', goal: 0.4, ingestPath: byFile },
    ...(nats === undefined ? [] : [{ name: 'JetStream', goal: 0.3, ingestPath: byJetStream(nats) }]),
  ];
}

/** Measures the reference and every path in turn in each round, so that all have the same conditions. */
export async function benchIngest({
  databaseUrl,
  rounds,
  entries,
}: IngestBenchOptions): Promise<IngestResult> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-bench-entries-'));
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await seedRecords(client, PROJECTS, RECORDS / PROJECTS);
    const token = await issueToken(databaseUrl, 'plugin_log:write');
    const copySeconds: number[] = [];
    const paths = contestants().map((contestant) => ({ ...contestant, runs: [] as Run[], wrong: 0 }));
    for (let round = 1; round <= rounds; round++) {
      const files = await writeEntries(folder, entries);
      copySeconds.push(await copyRows(client, databaseUrl, files));
      for (const each of paths) {
        each.runs.push(await runAlone(client, each.ingestPath, { databaseUrl, token, files }));
        if (!(await isExact(client, entries))) each.wrong++;
        process.stderr.write(`${each.name}, round ${round}\n`);
      }
    }
    return { copySeconds, paths };
  } finally {
    await client.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs with empty tables, after a checkpoint of the writes of the run before. */
async function runAlone(client: Client, ingestPath: IngestPath, input: IngestInput): Promise<Run> {
  await client.query('truncate log_entry, log_block');
  await client.query('checkpoint');
  return ingestPath(input);
}
