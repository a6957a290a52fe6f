import { once } from 'node:events';
import { Client } from 'pg';
import { median } from '../median.ts';
import { startChild, type Child } from './child.ts';
import type { LimitResponses } from './limit-server.ts';
import type { LoadRequest, LoadResult } from './load.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import { seed } from './seed.ts';
import { startService, type Service } from './service.ts';

export interface HttpBenchOptions {
  readonly databaseUrl: string;
  readonly rounds: number;
  readonly seconds: number;
  /** Selects scenarios by a part of their name; empty selects all. */
  readonly only: string;
}

export interface Row {
  readonly scenario: Scenario;
  readonly connections: number;
  readonly service: number;
  readonly limit: number;
  readonly bare: number;
  /** The median ratio of the service to the scenario's reference in the same round. */
  readonly ratio: number;
  readonly failed: number;
}

type Target = 'service' | 'limit' | 'bare';

/** Measures all targets in each round, to give them the same conditions. */
export async function benchHttp(
  options: HttpBenchOptions,
): Promise<{ rows: readonly Row[]; residentMb: number }> {
  const service = await prepare(options.databaseUrl);
  const bare = startChild('./bare-server.ts', { BENCH_DATABASE_URL: options.databaseUrl });
  const [bareStarted] = (await once(bare.process, 'message')) as [{ port: number }];
  const limit = startChild('./limit-server.ts');
  const limitStarted = await limit.request<{ port: number }>(await responsesOf(service));
  const load = startChild('./load.ts');
  const ports: Record<Target, number> = {
    service: service.port,
    limit: limitStarted.port,
    bare: bareStarted.port,
  };
  try {
    const rows: Row[] = [];
    for (const scenario of SCENARIOS.filter(({ name }) => name.includes(options.only))) {
      for (const connections of [20, 100]) {
        const requests = await requestsOf(service, scenario);
        rows.push(await measure({ load, ports, scenario, connections, options, requests }));
      }
    }
    return { rows, residentMb: await service.residentMb() };
  } finally {
    for (const child of [load, limit, bare, service]) child.process.kill();
  }
}

async function prepare(databaseUrl: string): Promise<Service> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await seed(client, databaseUrl);
  await client.end();
  return startService(databaseUrl);
}

/** Reads the service's responses, for the limit server to repeat. */
async function responsesOf({ token, readAll }: Service): Promise<LimitResponses> {
  const reads = SCENARIOS.flatMap(({ requests }) => requests(token)).filter(({ method }) => method === 'GET');
  const responses = await readAll(reads.map(({ path }) => path));
  return { responses, record: Object.values(responses).at(-1) ?? '' };
}

/** Returns the requests of a scenario, with the tags of the current responses for a revalidation. */
async function requestsOf(
  { token, tagOf }: Service,
  { requests, isRevalidation = false }: Scenario,
): Promise<readonly LoadRequest[]> {
  const all = requests(token);
  if (!isRevalidation) return all;
  return Promise.all(
    all.map(async (one) => ({ ...one, headers: { ...one.headers, 'if-none-match': await tagOf(one.path) } })),
  );
}

interface Measurement {
  readonly load: Child;
  readonly ports: Record<Target, number>;
  readonly scenario: Scenario;
  readonly connections: number;
  readonly options: HttpBenchOptions;
  readonly requests: readonly LoadRequest[];
}

/** Rounds that are not measured, since a real service runs for days. */
const WARM_UP_ROUNDS = 2;

async function measure({ load, ports, scenario, connections, options, ...given }: Measurement): Promise<Row> {
  let requests: Measurement['requests'] | undefined = given.requests;
  const seen: Record<Target, number[]> = { service: [], limit: [], bare: [] };
  let failed = 0;
  for (let round = -WARM_UP_ROUNDS; round < options.rounds; round++) {
    const name = round < 0 ? 'warm-up' : `round ${round + 1} of ${options.rounds}`;
    process.stderr.write(`${scenario.name}, ${connections} connections: ${name}\n`);
    for (const target of Object.keys(ports) as Target[]) {
      const result = await load.request<LoadResult>({
        port: ports[target],
        connections,
        seconds: options.seconds,
        requests,
      });
      requests = undefined;
      if (round < 0) continue;
      seen[target].push(result.perSecond);
      failed += result.failed;
    }
  }
  return {
    scenario,
    connections,
    failed,
    service: median(seen.service),
    limit: median(seen.limit),
    bare: median(seen.bare),
    ratio: median(seen.service.map((perSecond, round) => perSecond / (seen[scenario.reference][round] ?? 0))),
  };
}
