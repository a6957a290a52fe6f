import { anAuthor, anIssue } from '@plugin-config/testing';
import { fileURLToPath } from 'node:url';
import { responseCheck, type ResponseCheck } from '@plugin-config/conformance';
import { watchedFetch } from '@plugin-config/conformance/watched-fetch';
import { issueApiKey, type Scope } from '@plugin-config/domain';
import { openDatabase, postgresPorts, type Database } from '@plugin-config/persistence';
import { createTestDatabase, TEST_KEYS, TEST_SECRETS_KEYS } from '@plugin-config/persistence/testing';
import { NODE_FLAGS, runProcess, type RunningProcess } from '@plugin-config/server/testing';
import { afterAll, beforeAll, inject } from 'vitest';
import { freePort } from '../../../../tools/free-port.ts';
import { MAINS, type App } from './apps.ts';
import { tenant, type Tenant } from './tenant.ts';

/** The main files of apps with short timeouts. */
export const SHORT_TIMEOUTS = {
  http: fileURLToPath(new URL('../../../http/src/testing/short-timeouts.main.ts', import.meta.url)),
  worker: fileURLToPath(new URL('../../../worker/src/testing/short-timeouts.main.ts', import.meta.url)),
};

/** Both apps as processes, on a new database. */
export interface RunningService extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly database: Database;
  /** The HTTP app that was started last. */
  readonly http: RunningProcess;
  readonly worker: RunningProcess;
  tenant(scopes?: readonly Scope[]): Promise<Tenant>;
  /** Issues a key, by default for all projects. Returns its token. */
  issueKey(scopes: readonly Scope[], projectIds?: readonly number[]): Promise<string>;
  /** Starts another process of an app, which is stopped with the service. */
  run(app: App, env?: NodeJS.ProcessEnv): RunningProcess;
  /** Stops an app. Resolves once its process is gone. */
  end(app: App, signal?: NodeJS.Signals): Promise<void>;
  /** Restarts a stopped app on its port. Resolves once it listens. */
  restart(app: App): Promise<void>;
  /** Queries PostgreSQL directly. */
  rows<T extends object>(sql: string, values?: readonly unknown[]): Promise<readonly T[]>;
}

interface RunOptions {
  /** A migrated database to use; a new one if absent. */
  readonly databaseUrl?: string;
  /** Returns the URL through which the apps reach the database, if it differs. */
  readonly through?: (databaseUrl: string) => string;
  /** Replaces the main files of the apps. */
  readonly mains?: Partial<Record<App, string>>;
  /** The limit of open files and connections of each app. */
  readonly openFiles?: number;
}

export async function runService(
  env: NodeJS.ProcessEnv = {},
  { databaseUrl: given, through = (url) => url, mains = {}, openFiles }: RunOptions = {},
): Promise<RunningService> {
  const { url: databaseUrl, drop } =
    given === undefined
      ? await createTestDatabase(inject('databaseAdminUrl'))
      : { url: given, drop: async () => undefined };
  const database = openDatabase({ url: databaseUrl, poolSize: 2, masterKeys: TEST_KEYS });
  const processes: RunningProcess[] = [];
  const run = (app: App, more: NodeJS.ProcessEnv = {}): RunningProcess => {
    const own = {
      DATABASE_URL: through(databaseUrl),
      SECRETS_KEYS: TEST_SECRETS_KEYS,
      PORT: '0',
      WORKER_PORT: '0',
      LOG_LEVEL: 'info',
      ...env,
      ...more,
    };
    const started = runProcess({
      main: mains[app] ?? MAINS[app],
      nodeFlags: NODE_FLAGS,
      env: { MALLOC_ARENA_MAX: '1', ...own },
      ...(openFiles !== undefined && { openFiles }),
    });
    processes.push(started);
    return app === 'http' ? watched(started) : started;
  };
  // A port chosen by the system could be taken by another process before the app is restarted.
  const ownPort = {
    http: { PORT: String(await freePort()) },
    worker: { WORKER_PORT: String(await freePort()) },
  };
  const current = { http: run('http', ownPort.http), worker: run('worker', ownPort.worker) };
  const [api, ingestion] = await Promise.all([current.http.url(), current.worker.url()]);
  const ports = { ...postgresPorts(database), clock: { now: () => new Date() } };
  const issueKey: RunningService['issueKey'] = async (scopes, projectIds) => {
    const label = projectIds === undefined ? 'test key' : `key of project ${projectIds.join(', ')}`;
    const order = { label, scopes, ...(projectIds && { projectIds }) };
    return (await issueApiKey(ports, anIssue(order, ports.clock.now()))).token;
  };
  return {
    databaseUrl,
    database,
    get http() {
      return current.http;
    },
    get worker() {
      return current.worker;
    },
    run,
    end: async (app, signal = 'SIGKILL') => {
      current[app].child.kill(signal);
      await current[app].exited;
    },
    restart: async (app) => {
      current[app] = run(app, ownPort[app]);
      await current[app].url();
    },
    tenant: async (scopes = ['*']) => {
      const { id: projectId } = await ports.projects.create(
        { name: 'Tenant' },
        anAuthor({ at: ports.clock.now() }),
      );
      return tenant({ api, ingestion, projectId, token: await issueKey(scopes, [projectId]) });
    },
    issueKey,
    rows: async <T extends object>(sql: string, values: readonly unknown[] = []) =>
      (await database.pool.query<T>(sql, [...values])).rows,
    [Symbol.asyncDispose]: async () => {
      for (const { child } of processes) child.kill('SIGKILL');
      await Promise.all(processes.map(({ exited }) => exited));
      await database.close();
      await drop();
    },
  };
}

/** Runs one service for the tests of a file. Each test uses its own tenants. */
export function serviceOfFile(...options: Parameters<typeof runService>): () => RunningService {
  let service: RunningService | undefined;
  beforeAll(async () => {
    service = await runService(...options);
  });
  afterAll(() => service?.[Symbol.asyncDispose]());
  return () => {
    if (service === undefined) throw new Error('The service runs only during the tests.');
    return service;
  };
}

let check: ResponseCheck | undefined;

/** Checks every response against the OpenAPI document of the service. */
function watched(started: RunningProcess): RunningProcess {
  const url = async (): Promise<string> => {
    const origin = await started.url();
    check ??= await checkServedBy(origin);
    watchedFetch.watch(origin, check);
    void started.exited.then(() => watchedFetch.unwatch(origin));
    return origin;
  };
  return { ...started, url };
}

async function checkServedBy(origin: string): Promise<ResponseCheck> {
  const served = await fetch(`${origin}/api/schema`);
  return responseCheck((await served.json()) as object);
}
