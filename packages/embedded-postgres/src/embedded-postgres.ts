import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Binaries, binariesFor } from './binaries.ts';
import { openCluster } from './cluster.ts';
import { type DataDir, openDataDir } from './data-dir.ts';
import { lockFile } from './exclusive-lock.ts';
import { freePort } from './free-port.ts';
import { SUPERUSER } from './init-cluster.ts';
import { stopLeftOverPostmaster } from './left-over-postmaster.ts';
import { launchPostmaster, type Postmaster } from './postmaster.ts';
import { keepPrivateFile, writePrivateFile } from './private-file.ts';
import { serverSettings, type Settings } from './server-settings.ts';
import { databaseUser, type SystemUser } from './system-user.ts';

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /** Defaults to true. False is faster, but a crash of the machine may lose or damage the data. */
  readonly durable?: boolean;
  readonly settings?: Settings;
  /** Aborts the creation of a new cluster. */
  readonly signal?: AbortSignal;
}

/** A data directory that this process has locked until `close`. Every launch uses the same cluster and port. */
export interface EmbeddedPostgres {
  readonly url: string;
  readonly port: number;
  /** Starts PostgreSQL. May be called again after PostgreSQL has ended; the address stays the same. */
  launch(): Promise<Postmaster>;
  close(): Promise<void>;
}

/** @throws EmbeddedPostgresError if the database cannot run here, or another process has locked the data directory. */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = await openDataDir(options.dataDir);
  const locks = [lockOf(dataDir.lock, dataDir)];
  const release = (): void => locks.forEach((lock) => lock.release());
  try {
    const instance = await prepare(options, dataDir);
    const home = dirname(instance.cluster);
    if (home !== dataDir.path) locks.push(lockOf(join(home, 'lock'), dataDir));
    return embeddedPostgres(instance, release);
  } catch (error) {
    release();
    throw error;
  }
}

function lockOf(file: string, { path }: DataDir): { release(): void } {
  return lockFile(
    file,
    `The database in ${path} is in use by another process: stop that one, or set another DATA_DIR.`,
  );
}

interface Instance {
  readonly dataDir: DataDir;
  readonly binaries: Binaries;
  readonly user: SystemUser | undefined;
  readonly cluster: string;
  readonly url: URL;
  readonly settings: Settings;
}

async function prepare(options: EmbeddedPostgresOptions, dataDir: DataDir): Promise<Instance> {
  const { durable = true, signal } = options;
  await rm(dataDir.databaseUrl, { force: true });
  const user = await databaseUser(dataDir.cluster);
  const binaries = await binariesFor(user);
  const password = await keepPrivateFile(dataDir.password, () => randomBytes(24).toString('base64url'));
  const cluster = await openCluster({ initdb: binaries.initdb, user, password, durable, signal }, dataDir);
  const port = await freePort();
  const url = new URL(`postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/plugin_config`);
  // Whatever `PGSSLMODE` says: it serves this machine alone, without TLS.
  url.searchParams.set('sslmode', 'disable');
  return { dataDir, binaries, user, cluster, url, settings: serverSettings(port, durable, options.settings) };
}

function embeddedPostgres(instance: Instance, release: () => void): EmbeddedPostgres {
  const { url, dataDir, cluster } = instance;
  return {
    url: url.href,
    port: Number(url.port),
    launch: async () => {
      await stopLeftOverPostmaster(cluster);
      const options = { ...instance, postgres: instance.binaries.postgres, logPath: dataDir.log };
      const postmaster = await launchPostmaster(options);
      const ready = postmaster.ready.then(() => writePrivateFile(dataDir.databaseUrl, `${url.href}\n`));
      ready.catch(() => {});
      return { ...postmaster, ready };
    },
    close: async () => {
      await rm(dataDir.databaseUrl, { force: true });
      release();
    },
  };
}
