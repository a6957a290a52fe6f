import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startApp, type RunningApp } from '../app-process.ts';
import { cpuSeconds } from '../costs/resource-use.ts';
import { startService, type Service } from '../http/service.ts';
import { issueToken } from '../issue-token.ts';
import type { PartOptions } from '../part.ts';
import { sampleMessage } from '../sample-message.ts';
import { seedRecords } from '../seed-records.ts';
import { followAll } from './followers.ts';

const STREAMS = 1000;
const PROJECTS = 10;
const PUSHES = 200;
const PUSH_ENTRIES = 10;
const PUSH_PAUSE_MS = 20;
const BULK_LINES = 5000;
const SETTLE_MS = 3_000;

/** The costs of ingestion with streams relative to its costs without. */
interface Ratio {
  /** CPU time of the worker. */
  readonly cpu: number;
  readonly seconds: number;
}

interface Round {
  /** All entries belong to other logs. */
  readonly others: Ratio;
  /** All entries belong to followed logs. The same two cores send each one to a stream. */
  readonly followed: Ratio;
}

export interface StreamsResult {
  readonly latencies: readonly number[];
  readonly idleMb: number;
  readonly missing: number;
  readonly rounds: readonly Round[];
}

const PER_PROJECT = (2 * STREAMS) / PROJECTS;
/** Every other record is followed. */
const FOLLOWED = Array.from({ length: STREAMS }, (_, i) => 2 * i + 1);
const OTHERS = FOLLOWED.map((id) => id + 1);
const RECORDS = FOLLOWED.map((id) => ({ id, projectId: 1 + Math.floor((id - 1) / PER_PROJECT) }));

export async function benchStreams({ databaseUrl, rounds, entries }: PartOptions): Promise<StreamsResult> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await seedRecords(databaseUrl, PROJECTS, PER_PROJECT);
  const tokens: string[] = [];
  for (let i = 0; i < STREAMS / 100; i++) tokens.push(await issueToken(databaseUrl, '*'));
  const service = await startService(databaseUrl);
  const worker = await startApp('worker', { DATABASE_URL: databaseUrl });
  try {
    const pusher = pushing(worker, tokens[0] ?? '');
    for (const ids of [FOLLOWED, OTHERS]) await bulk(pusher, worker, Math.min(entries, 50_000), ids);
    const { latencies, idleMb, missing } = await measureLatency(service, tokens, pusher);
    const results: Round[] = [];
    const store = async (ids: readonly number[]): Promise<Ratio> => {
      // A log with entries costs more than an empty log.
      await client.query('truncate log_entry, log_hour');
      return bulk(pusher, worker, entries, ids);
    };
    for (let round = 0; round < rounds; round++) {
      await client.query('truncate log_follow, log_follower, log_sequence');
      const alone = await store(OTHERS);
      using _followers = await followAll(service.port, tokens, RECORDS);
      const others = await store(OTHERS);
      const followed = await store(FOLLOWED);
      results.push({ others: ratioOf(others, alone), followed: ratioOf(followed, alone) });
    }
    return { latencies, idleMb, missing, rounds: results };
  } finally {
    await worker.stop();
    await service.stop();
    await client.end();
  }
}

type Push = (lines: readonly string[]) => Promise<void>;

function pushing({ port }: RunningApp, token: string): Push {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
  return async (lines) => {
    const response = await fetch(`http://127.0.0.1:${port}/ingest`, {
      method: 'POST',
      headers,
      body: lines.join('\n'),
    });
    if (!response.ok)
      throw new Error(`A push failed with status ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
  };
}

async function measureLatency(service: Service, tokens: readonly string[], push: Push) {
  const before = await service.residentMb();
  using followers = await followAll(service.port, tokens, RECORDS);
  await sleep(SETTLE_MS);
  const idleMb = (await service.residentMb()) - before;
  const arrivedAt = new Map<string, number>();
  let duplicates = 0;
  followers.onEntry = (message) => {
    if (arrivedAt.has(message)) duplicates++;
    arrivedAt.set(message, performance.now());
  };
  const storedAt = new Map<string, number>();
  for (let n = 0; n < PUSHES; n++) {
    const messages = Array.from({ length: PUSH_ENTRIES }, (_, i) => `${n} ${i}`);
    await push(messages.map((message) => lineOf(FOLLOWED[Math.floor(Math.random() * STREAMS)], message)));
    const now = performance.now();
    for (const message of messages) storedAt.set(message, now);
    await sleep(PUSH_PAUSE_MS);
  }
  await sleep(SETTLE_MS);
  const arrived = [...storedAt].filter(([message]) => arrivedAt.has(message));
  const latencies = arrived.map(([message, at]) => Math.max(0, (arrivedAt.get(message) ?? 0) - at));
  return { latencies, idleMb, missing: storedAt.size - arrived.length + duplicates };
}

function ratioOf(a: Ratio, b: Ratio): Ratio {
  return { cpu: a.cpu / b.cpu, seconds: a.seconds / b.seconds };
}

/** Pushes entries of these records, two pushes at a time. */
async function bulk(push: Push, worker: RunningApp, entries: number, ids: readonly number[]): Promise<Ratio> {
  const bodies = Array.from({ length: Math.ceil(entries / BULK_LINES) }, (_, n) =>
    Array.from({ length: BULK_LINES }, (__, i) =>
      lineOf(ids[(n * BULK_LINES + i) % STREAMS], sampleMessage(i)),
    ),
  ).values();
  const [cpu, start] = [cpuSeconds(worker.process.pid), performance.now()];
  const send = async (): Promise<void> => {
    for (const body of bodies) await push(body);
  };
  await Promise.all([send(), send()]);
  return { cpu: cpuSeconds(worker.process.pid) - cpu, seconds: (performance.now() - start) / 1000 };
}

function lineOf(id: number | undefined, message: string): string {
  return JSON.stringify({ plugin_config_id: id, message });
}
