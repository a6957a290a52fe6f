import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, realpath, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openCluster, SUPERUSER } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { lockFile } from './exclusive-lock.ts';
import type { Exit } from './exit.ts';
import { freePort } from './free-port.ts';
import { endLeftOver } from './left-over.ts';
import { type LaunchPostmaster, launchPostmaster, type Postmaster } from './postmaster.ts';
import { keepPrivateFile, writePrivateFile } from './private-file.ts';
import { programsFor } from './programs.ts';
import { databaseUser } from './system-user.ts';

type Settings = LaunchPostmaster['settings'];

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /** Defaults to true. False is faster, but a crash of the machine may lose or damage the data. */
  readonly durable?: boolean;
  readonly settings?: Settings;
  /** Aborts the creation of a new cluster. */
  readonly signal?: AbortSignal;
}

/** A data directory that this process locks until `close`. Every launch uses the same cluster and port. */
export interface EmbeddedPostgres {
  readonly url: string;
  readonly port: number;
  /** Starts PostgreSQL. May be called again after PostgreSQL has ended; the address stays the same. */
  launch(): Promise<Postmaster>;
  close(): Promise<void>;
}

/** @throws EmbeddedPostgresError if the database cannot run here, or another process has locked the data directory. */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = await openDataDir(resolve(options.dataDir));
  const lock = lockFile(
    join(dataDir, 'lock'),
    `The database in ${dataDir} is in use by another process: stop that process, or set another DATA_DIR.`,
  );
  const urlFile = join(dataDir, 'database-url');
  const close = async (): Promise<void> => {
    await rm(urlFile, { force: true });
    lock.release();
  };
  try {
    const { url, port, launch } = await prepare(options, dataDir);
    return { url, port, launch: () => launchAt(url, urlFile, launch), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openDataDir(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK | constants.X_OK);
    return await realpath(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EmbeddedPostgresError(
      `${path} cannot be used (${reason}): make it a folder that you may write to, or set another DATA_DIR.`,
      { cause },
    );
  }
}

async function prepare({ durable = true, settings, signal }: EmbeddedPostgresOptions, dataDir: string) {
  const user = await databaseUser(join(dataDir, 'postgres'));
  const programs = await programsFor(user);
  const passwordFile = join(dataDir, 'database-password');
  const password = await keepPrivateFile(passwordFile, () => randomBytes(24).toString('base64url'));
  const initdb = join(programs, 'initdb');
  const cluster = await openCluster({ initdb, user, password, durable, signal }, dataDir);
  const port = await freePort();
  // Overrides `PGSSLMODE`: the server accepts only local connections and has no TLS.
  const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres?sslmode=disable`;
  const logPath = join(dataDir, 'postgres.log');
  const postgres = join(programs, 'postgres');
  const launch = { postgres, user, cluster, settings: serverSettings(port, durable, settings), logPath };
  return { url, port, launch };
}

function serverSettings(port: number, durable: boolean, more: Settings = {}): Settings {
  return {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 100,
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    log_checkpoints: 'off',
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...more,
  };
}

async function launchAt(url: string, urlFile: string, launch: LaunchPostmaster): Promise<Postmaster> {
  await endLeftOver(launch.cluster);
  const postmaster = await launchPostmaster(launch);
  const ready = postmaster.ready.then(() => writePrivateFile(urlFile, `${url}\n`));
  ready.catch(() => {});
  return { ...postmaster, ready };
}

/** One run of the embedded database, for a caller that does not restart it. */
export interface RunningPostgres {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  stop(): Promise<void>;
}

/** Opens the data directory, runs PostgreSQL and waits until it accepts connections. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<RunningPostgres> {
  await using resources = new AsyncDisposableStack();
  const { url, port, launch, close } = await openEmbeddedPostgres(options);
  resources.defer(close);
  const { pid, exited, ready, stop } = await launch();
  resources.defer(stop);
  await ready;
  const running = resources.move();
  return { url, port, pid, exited, stop: () => running.disposeAsync() };
}
