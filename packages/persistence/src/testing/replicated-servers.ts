import { execFile } from 'node:child_process';
import { appendFile, chown, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type EmbeddedPostgresOptions, openEmbeddedPostgres } from '@plugin-config/embedded-postgres';
import pg from 'pg';
import { afterAll } from 'vitest';
import { makeTestFolder } from '../../../../tools/test-folder.ts';
import { migrate } from '../migrate.ts';

export interface ReplicatedServer {
  readonly url: string;
  /** The folder of the cluster. */
  readonly cluster: string;
  /** Runs statements as the superuser. */
  query<T extends object>(sql: string): Promise<readonly T[]>;
  /** Ends the server with SIGKILL. */
  kill(): Promise<void>;
  /** Restarts the server. */
  start(): Promise<void>;
  /** Freezes all processes of the server. Returns a function that resumes them. */
  freeze(): Promise<() => void>;
}

/** A migrated primary and its standby. */
export interface ReplicatedServers extends AsyncDisposable {
  readonly primary: ReplicatedServer;
  readonly standby: ReplicatedServer;
  /** Disconnects the standby from the primary, so a failover loses later commits. */
  cutOff(): Promise<void>;
  promote(): Promise<void>;
  /** Gives the promoted standby a standby of its own, and removes the old primary. */
  succeed(): Promise<ReplicatedServers>;
}

export interface ReplicatedServersOptions {
  /** Whether commits wait for the standby. */
  readonly isSynchronous?: boolean;
}

/** Fast, since only processes fail in these tests, not the machine. */
const SETTINGS = { synchronous_commit: 'on', shared_buffers: '32MB', max_connections: 200 };
const TIMEOUT_MS = 20_000;

/**
 * Returns a function that starts a primary and its standby from copies of the same migrated cluster. Creating a cluster for each
 * pair would take longer than most tests, and the embedded PostgreSQL has no `pg_basebackup`.
 */
export function replicatedServersOfFile(): (
  options?: ReplicatedServersOptions,
) => Promise<ReplicatedServers> {
  let cluster: Promise<Cluster> | undefined;
  afterAll(async () => {
    const { folder } = (await cluster) ?? {};
    if (folder !== undefined) await removeTree(folder);
  });
  return async (options) => startPair(await (cluster ??= makeCluster()), options);
}

/** A migrated cluster without a running server. */
interface Cluster {
  readonly folder: string;
  readonly dataDir: string;
}

async function makeCluster(): Promise<Cluster> {
  const folder = await makeFolder();
  const dataDir = join(folder, 'data');
  const server = await runServer({ dataDir, durable: false });
  await migrate(server.url);
  await server.stop();
  return { folder, dataDir };
}

async function startPair(
  source: Cluster,
  { isSynchronous = true }: ReplicatedServersOptions = {},
): Promise<ReplicatedServers> {
  const folder = await makeFolder();
  const dataDirs = [join(folder, 'first'), join(folder, 'second')] as const;
  const running: Stoppable[] = [];
  const dispose = async (): Promise<void> => {
    for (const server of running) await server.stop();
    await removeTree(folder);
  };
  const run = async (dataDir: string, more: EmbeddedPostgresOptions['settings'] = {}): Promise<Stoppable> => {
    const server = await runServer({ dataDir, durable: false, settings: { ...SETTINGS, ...more } });
    running.push(server);
    return server;
  };
  /** A standby that follows from here on, in a folder of its own. */
  const pairOf = async (primary: Stoppable, standbyDir: string): Promise<ReplicatedServers> => {
    await makeStandby(join(standbyDir, 'postgres'), new URL(primary.url));
    const standby = await run(standbyDir);
    const receivers = async (): Promise<number> =>
      (await primary.query(`select from pg_stat_replication where state = 'streaming'`)).length;
    await until(async () => (await receivers()) === 1);
    return {
      primary,
      standby,
      cutOff: async () => {
        await standby.query(`alter system set primary_conninfo = ''`);
        await standby.query('select pg_reload_conf()');
        await until(async () => (await receivers()) === 0);
      },
      promote: async () => void (await standby.query('select pg_promote(wait => false)')),
      succeed: async () => {
        await primary.stop();
        await removeTree(dirname(primary.cluster));
        const isPromoted = async () =>
          (await standby.query('select where not pg_is_in_recovery()')).length === 1;
        await until(isPromoted);
        const copy = join(folder, String(copies++));
        await copyRunning(standby, copy);
        return pairOf(standby, copy);
      },
      [Symbol.asyncDispose]: dispose,
    };
  };
  let copies = 0;
  try {
    for (const dataDir of dataDirs) await promisify(execFile)('cp', ['-a', source.dataDir, dataDir]);
    const primary = await run(dataDirs[0], isSynchronous ? { synchronous_standby_names: '*' } : {});
    return await pairOf(primary, dataDirs[1]);
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Copies the folder of a running server, as a base backup does. */
async function copyRunning({ url, cluster }: ReplicatedServer, to: string): Promise<void> {
  const from = dirname(cluster);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('standby', fast => true)`);
    // Files may vanish meanwhile, which the log replays.
    await promisify(execFile)('cp', ['-a', from, to]).catch(() => undefined);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    const copy = join(to, 'postgres');
    const label = join(copy, 'backup_label');
    await writeFile(label, rows[0]?.labelfile ?? '');
    const { uid, gid } = await stat(copy);
    await chown(label, uid, gid);
    for (const file of ['postmaster.pid', 'postmaster.opts']) await rm(join(copy, file), { force: true });
  } finally {
    await client.end();
  }
}

/** Retries because the processes of a killed server may still write for a moment. */
const removeTree = (path: string): Promise<void> =>
  rm(path, { recursive: true, maxRetries: 20, retryDelay: 100 });

const makeFolder = (): Promise<string> => makeTestFolder('plugin-config-replicated-');

interface Stoppable extends ReplicatedServer {
  stop(): Promise<void>;
}

async function runServer(options: EmbeddedPostgresOptions): Promise<Stoppable> {
  const server = await openEmbeddedPostgres(options);
  let postmaster = await server.launch();
  await postmaster.ready;
  const query = <T extends object>(sql: string): Promise<readonly T[]> => queryAt<T>(server.url, sql);
  let isOpen = true;
  return {
    url: server.url,
    cluster: join(options.dataDir, 'postgres'),
    query,
    async kill() {
      process.kill(postmaster.pid, 'SIGKILL');
      await postmaster.exited;
    },
    async start() {
      postmaster = await server.launch();
      await postmaster.ready;
    },
    async freeze() {
      const children = await query<{ readonly pid: number }>('select pid from pg_stat_activity');
      const send = (signal: NodeJS.Signals, pid: number): void => {
        try {
          process.kill(pid, signal);
        } catch {
          // The process has ended.
        }
      };
      const all = [postmaster.pid, ...children.map(({ pid }) => pid)];
      for (const pid of all) send('SIGSTOP', pid);
      return () => all.forEach((pid) => send('SIGCONT', pid));
    },
    async stop() {
      if (!isOpen) return;
      isOpen = false;
      await postmaster.stop();
      await server.close();
    },
  };
}

async function makeStandby(cluster: string, { hostname, port, username, password }: URL): Promise<void> {
  const primary = `host=${hostname} port=${port} user=${username} password=${password}`;
  await appendFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
  await writeFile(join(cluster, 'standby.signal'), '');
}

async function queryAt<T extends object>(url: string, sql: string): Promise<readonly T[]> {
  const client = new pg.Client({ connectionString: url }).on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    client.end().catch(() => undefined);
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new Error('The servers did not reach the expected state in time.');
    await sleep(20);
  }
}
