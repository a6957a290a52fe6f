import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { WireIngestReport } from '@plugin-config/contract';
import { issueApiKey, type ConfigRecord, type FamilyRef } from '@plugin-config/domain';
import {
  type Database,
  openDatabase,
  postgresLogEntryStore,
  postgresPorts,
} from '@plugin-config/persistence';
import { TEST_KEYS, TEST_SECRETS_KEYS } from '@plugin-config/persistence/testing';
import {
  runProcess,
  serveInProcess,
  type RunningProcess,
  type ServedApp,
} from '@plugin-config/server/testing';
import { aFamily, anIssue, aRecord, type KeyOrder } from '@plugin-config/testing';
import { readEnv } from '../env.ts';
import { serve } from '../lifecycle/serve.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

export interface ReceivedResponse<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** A database with a plugin config, on which tests can run workers. */
export interface TestBed extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly ports: ReturnType<typeof portsOf>;
  readonly family: FamilyRef;
  readonly record: ConfigRecord;
  /** The token of a key with all scopes. */
  readonly token: string;
  issueToken(order?: KeyOrder): Promise<string>;
  /** Starts a worker in this process, with exactly this environment. The test bed stops it at the end. */
  serve(env?: NodeJS.ProcessEnv): Promise<ServedApp>;
  /** Starts a worker as a separate process, for tests of signals, exit codes and output. */
  run(env?: NodeJS.ProcessEnv, args?: readonly string[]): RunningProcess;
  /** Queries PostgreSQL directly. */
  rows<T extends object>(sql: string, values?: readonly unknown[]): Promise<readonly T[]>;
}

export async function createTestBed(databaseUrl: string): Promise<TestBed> {
  const database = openDatabase({ url: databaseUrl, poolSize: 4, masterKeys: TEST_KEYS });
  const ports = portsOf(database);
  const family = await aFamily(ports);
  const record = await aRecord(ports, family);
  const issueToken = async (order: KeyOrder = {}): Promise<string> =>
    (await issueApiKey(ports, anIssue(order, new Date()))).token;
  const served: ServedApp[] = [];
  const environment = { DATABASE_URL: databaseUrl, SECRETS_KEYS: TEST_SECRETS_KEYS, WORKER_PORT: '0' };
  return {
    databaseUrl,
    ports,
    family,
    record,
    token: await issueToken(),
    issueToken,
    serve: async (env = {}) => {
      const settings = readEnv({ ...environment, ...env });
      const worker = await serveInProcess((stopped, log) => serve(settings, stopped, { log }));
      served.push(worker);
      return worker;
    },
    run: (env = {}, args = []) => runProcess({ main: MAIN, args, env: { ...environment, ...env } }),
    rows: async <T extends object>(sql: string, values: readonly unknown[] = []) =>
      (await database.pool.query<T>(sql, [...values])).rows,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(served.map((worker) => worker.stop()));
      await database.close();
    },
  };
}

function portsOf(database: Database) {
  return {
    ...postgresPorts(database),
    logs: postgresLogEntryStore({ ...database, searchTimeoutMs: 5000 }),
    clock: { now: () => new Date() },
  };
}

export interface PushOptions {
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly gzip?: boolean;
}

/** Pushes a body to a worker. */
export async function push<T = WireIngestReport>(
  url: string,
  body: string | Buffer | Readable | null,
  { token, headers = {}, gzip = false }: PushOptions,
): Promise<ReceivedResponse<T>> {
  const response = await fetch(`${url}/ingest`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-ndjson',
      ...(gzip && { 'content-encoding': 'gzip' }),
      ...headers,
    },
    ...(body !== null && { body: gzip && !(body instanceof Readable) ? gzipSync(body) : body }),
    duplex: 'half',
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as T };
}
