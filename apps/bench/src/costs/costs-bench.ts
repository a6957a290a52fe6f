import { Client } from 'pg';
import { startApp, type App, type RunningApp } from '../app-process.ts';
import { startChild, type Child } from '../http/child.ts';
import type { LoadResult } from '../http/load.ts';
import { seed } from '../http/seed.ts';
import { issueToken } from '../issue-token.ts';
import type { PartOptions } from '../part.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { difference, readResourceUse, type ResourceUse } from './resource-use.ts';

/** The result of one load, with the resources that it used. */
export interface Measured extends LoadResult {
  readonly connections: number;
  readonly used: ResourceUse;
}

export interface OperationCosts {
  readonly operation: Operation;
  readonly loads: readonly Measured[];
}

/** From one request at a time to more than fit into one statement. */
const CONNECTIONS = [1, 5, 20, 100];
/** One push of thousands of entries is enough for a batch. */
const LARGE_PUSH_CONNECTIONS = [1, 5];

/** Measures what each operation costs the app, PostgreSQL and the disk, at several numbers of connections. */
export async function benchCosts({
  databaseUrl,
  seconds,
  only,
}: PartOptions): Promise<readonly OperationCosts[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await seed(client, databaseUrl);
  const token = await issueToken(databaseUrl, '*');
  const apps: Readonly<Record<App, RunningApp>> = {
    http: await startApp('http', { DATABASE_URL: databaseUrl }),
    worker: await startApp('worker', { DATABASE_URL: databaseUrl }),
  };
  const load = startChild('./load.ts');
  try {
    const all: OperationCosts[] = [];
    for (const operation of OPERATIONS.filter(({ name }) => name.includes(only))) {
      const loads: Measured[] = [];
      for (const connections of operation.units > 100 ? LARGE_PUSH_CONNECTIONS : CONNECTIONS) {
        await client.query('checkpoint');
        loads.push(
          await measure({ client, load, app: apps[operation.app], token, seconds }, operation, connections),
        );
      }
      all.push({ operation, loads });
      process.stderr.write(`${operation.name}\n`);
    }
    return all;
  } finally {
    load.process.kill();
    await Promise.all([apps.http.stop(), apps.worker.stop()]);
    await client.end();
  }
}

interface Bench {
  readonly client: Client;
  readonly load: Child;
  readonly app: RunningApp;
  readonly token: string;
  readonly seconds: number;
}

async function measure(
  { client, load, app, token, seconds }: Bench,
  operation: Operation,
  connections: number,
): Promise<Measured> {
  const options = { port: app.port, connections, requests: operation.requests(token) };
  await load.request<LoadResult>({ ...options, seconds: 1 });
  const processes = { app: app.process.pid, load: load.process.pid };
  const before = await readResourceUse(client, processes);
  const result = await load.request<LoadResult>({ ...options, seconds });
  return { ...result, connections, used: difference(await readResourceUse(client, processes), before) };
}
