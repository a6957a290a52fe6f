import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { openDatabase, rotateMasterKey } from '@plugin-config/persistence';
import { addProjects, addRecords, TEST_KEYS } from '@plugin-config/persistence/testing/seed';
import { cpuSeconds } from '../costs/resource-use.ts';
import { startChild } from '../http/child.ts';
import type { LoadResult } from '../http/load.ts';
import { feedPath, listPath, recordPath, request, SCENARIOS } from '../http/scenarios.ts';
import { seed } from '../http/seed.ts';
import { startService, type Service } from '../http/service.ts';
import { issueToken } from '../issue-token.ts';
import type { PartOptions } from '../part.ts';
import { openAgent, openStreams, send, tokensFor, waitForVersions } from './hold-requests.ts';

const RUNTIMES = 1000;
const MANY_RUNTIMES = 10_000;
const IDLE_SECONDS = 10;
const CHANGES = 20;
const CONNECTIONS = 20;
const ATTACHED = 10_000;
const DATA_KEYS = 10_000;
/** No other record has this plugin. */
const PLUGIN = 4711;

export interface Held {
  /** Megabytes. */
  readonly memory: number;
  /** Milliseconds of CPU time per second. */
  readonly cpu: number;
}

export interface RuntimesResult {
  readonly waits: Held;
  readonly streams: Held;
  /** Milliseconds from the response to a change until the last runtime has its version. */
  readonly latencies: readonly number[];
  /** The same with ten times as many runtimes. */
  readonly latenciesOfMany: readonly number[];
  /** The speed of PATCH with heartbeats relative to PATCH alone, in each round. */
  readonly patches: readonly number[];
  /** Reports that were not stored. */
  readonly lostReports: number;
  readonly registrationMs: readonly number[];
  readonly rotationMs: readonly number[];
}

export async function benchRuntimes({ databaseUrl, rounds, seconds }: PartOptions): Promise<RuntimesResult> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await seed(client, databaseUrl);
  const service = await startService(databaseUrl);
  try {
    const streams = await holdStreams(service, databaseUrl);
    const { waits, latencies } = await holdWaits(service, databaseUrl, RUNTIMES);
    const { latencies: latenciesOfMany } = await holdWaits(service, databaseUrl, MANY_RUNTIMES);
    const { patches, lostReports } = await patchWithHeartbeats(service, client, { rounds, seconds });
    const registrationMs = await registerPlugin(service, databaseUrl, rounds);
    const rotationMs = await rotate(databaseUrl, rounds);
    return { waits, streams, latencies, latenciesOfMany, patches, lostReports, registrationMs, rotationMs };
  } finally {
    await service.stop();
    await client.end();
  }
}

async function holdStreams(service: Service, databaseUrl: string): Promise<Held> {
  const before = await service.residentMb();
  const tokens = [await issueToken(databaseUrl, '*'), await issueToken(databaseUrl, '*')];
  using _streams = await openStreams(service.port, tokens, `${listPath(1)}stream`, RUNTIMES);
  return await idle(service, before);
}

async function holdWaits(
  service: Service,
  databaseUrl: string,
  runtimes: number,
): Promise<{ waits: Held; latencies: readonly number[] }> {
  const { port } = service;
  const tokens = await tokensFor(databaseUrl, runtimes);
  const before = await service.residentMb();
  using waiting = await waitForVersions({ port, tokens, path: feedPath(2), runtimes });
  const waits = await idle(service, before);
  const latencies: number[] = [];
  for (let n = 0; n < CHANGES; n++) {
    const since = await service.tagOf(feedPath(2));
    await change(service, 'PATCH', recordPath(2, 1), { name: `Change ${n} of ${runtimes}` });
    latencies.push(await waiting.untilAllHave(since));
    await sleep(200);
  }
  return { waits, latencies };
}

async function idle(service: Service, before: number): Promise<Held> {
  await sleep(3_000);
  const cpu = cpuSeconds(service.process.pid);
  await sleep(IDLE_SECONDS * 1000);
  const used = cpuSeconds(service.process.pid) - cpu;
  return { memory: (await service.residentMb()) - before, cpu: (1000 * used) / IDLE_SECONDS };
}

/** Sends a thousand heartbeats a minute, each from a different runtime that has not reported for a minute. */
async function patchWithHeartbeats(
  service: Service,
  client: Client,
  { rounds, seconds }: Pick<PartOptions, 'rounds' | 'seconds'>,
): Promise<Pick<RuntimesResult, 'patches' | 'lostReports'>> {
  const load = startChild('./load.ts');
  const patch = SCENARIOS.find(({ name }) => name === 'PATCH');
  const requests = patch?.requests(service.token) ?? [];
  const run = async (): Promise<number> => {
    const options = { port: service.port, connections: CONNECTIONS, seconds, requests };
    return (await load.request<LoadResult>(options)).perSecond;
  };
  let beats = 0;
  let lostReports = 0;
  const agent = openAgent();
  const beat = async (): Promise<void> => {
    const path = `${feedPath(3)}s/runtime-${beats++ % RUNTIMES}`;
    const body = JSON.stringify({ version: 'Zb0l3lzJcN2Zb3m6Uuyo6w', status: 'applied' });
    const response = await send({ ...service, agent, path, method: 'PUT', body });
    response.resume();
    if (response.statusCode !== 204) lostReports++;
  };
  for (let n = 0; n < RUNTIMES; n++) await beat();
  await run();
  const patches: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await run();
    await client.query(`update runtime_instance set last_seen_at = last_seen_at - interval '1 minute'`);
    const sent: Promise<void>[] = [];
    const beating = setInterval(() => void sent.push(beat()), 60_000 / RUNTIMES);
    patches.push((await run()) / alone);
    clearInterval(beating);
    await Promise.all(sent);
  }
  load.process.kill();
  agent.destroy();
  return { patches, lostReports };
}

async function registerPlugin(
  service: Service,
  databaseUrl: string,
  rounds: number,
): Promise<readonly number[]> {
  const database = openDatabase({ url: databaseUrl, poolSize: 1, masterKeys: TEST_KEYS });
  const config = () => JSON.stringify({ host: 'events.example.com', token: 'hunter2' });
  const records = { records: ATTACHED, plugin: () => PLUGIN, config };
  await addRecords(database, { projectId: 4, family: 'plugin_configs' }, records);
  await database.close();
  const durations: number[] = [];
  // The first change makes the process load the modules for administration.
  await change(service, 'PUT', `/api/plugins/${PLUGIN + 1}`, { name: 'Another' });
  for (let round = 0; round < rounds; round++) {
    const config_schema = [
      { key: 'host', type: 'string' },
      { key: 'token', type: 'string', secret: true },
      { key: `other_${round}`, type: 'string', secret: true },
    ];
    durations.push(await change(service, 'PUT', `/api/plugins/${PLUGIN}`, { name: 'Events', config_schema }));
  }
  return durations;
}

/** Sends a change. Resolves to its duration in milliseconds. */
async function change(
  { port, token }: Service,
  method: 'PATCH' | 'PUT',
  path: string,
  sent: object,
): Promise<number> {
  const { headers, body } = request('PATCH', path, token, sent);
  const start = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: body ?? null });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} responded with ${response.status}`);
  return performance.now() - start;
}

async function rotate(databaseUrl: string, rounds: number): Promise<readonly number[]> {
  const [[id, bytes] = ['', Buffer.alloc(0)]] = TEST_KEYS;
  const next = ['next', Buffer.alloc(32, 8)] as const;
  const durations: number[] = [];
  const database = openDatabase({ url: databaseUrl, poolSize: 1, masterKeys: TEST_KEYS });
  const { rows } = await database.pool.query<{ count: number }>('select count(*)::integer from project_key');
  await addProjects(database, DATA_KEYS - (rows[0]?.count ?? 0));
  for (let round = 0; round < 2 * rounds; round++) {
    const keys = [[id, bytes], next] as const;
    const masterKeys = new Map(round % 2 === 0 ? keys.toReversed() : keys);
    const start = performance.now();
    await rotateMasterKey({ pool: database.pool, masterKeys });
    durations.push(performance.now() - start);
  }
  await database.close();
  return durations;
}
