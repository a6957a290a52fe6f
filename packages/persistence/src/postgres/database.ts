import type { LogArchive } from '@plugin-config/domain';
import pg from 'pg';
import { watchPrimary, type Primary } from './primary.ts';
import { rollingBack } from './rolling-back.ts';
import { readServerState } from './server-state.ts';
import { CONNECT_TIMEOUT, sessionSettings } from './session.ts';
import { destroyWhenSilent } from './silence.ts';

const IDLE_TIMEOUT = 5 * 60_000;
/** Idle connections are probed after this time to detect the loss of the host. */
const KEEP_ALIVE_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 10_000;

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /** The time limit of a statement. Keep it short where callers wait for the result. */
  readonly statementTimeoutMs?: number | undefined;
  /** The name that the server shows for the connections. */
  readonly applicationName?: string;
  /** The address of the service, for links in events. */
  readonly publicUrl?: string | null;
  readonly archive?: LogArchive | null;
}

export interface StoreDatabase {
  readonly pool: pg.Pool;
  /** The past days of logs; null if they stay in PostgreSQL. */
  readonly archive: LogArchive | null;
  readonly primary: Primary;
  /** True if every transaction is rolled back. */
  readonly isDry: boolean;
}

export interface Database extends StoreDatabase {
  /** For dry runs: uses the same connections, but rolls back every transaction instead of committing it. */
  readonly dry: StoreDatabase;
  /** Opens a connection outside of the pool. It emits `end` when it is lost. */
  openConnection(): Promise<pg.Client>;
  /** Waits for running statements, then closes the connections. */
  close(): Promise<void>;
}

/** Opens a database. It connects on demand, and reconnects after a failure. */
export function openPostgres({
  url,
  poolSize,
  applicationName,
  publicUrl,
  archive = null,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
}: DatabaseOptions): Database {
  const primary = watchPrimary();
  const client = {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  const prepare = async (opened: pg.ClientBase): Promise<void> => {
    destroyWhenSilent(opened, statementTimeoutMs);
    const settings = sessionSettings(statementTimeoutMs, publicUrl);
    primary.admit(opened, await readServerState(opened, { settings, timeoutMs: CONNECT_TIMEOUT }));
  };
  const options: PoolOptions = {
    ...client,
    max: poolSize,
    idleTimeoutMillis: IDLE_TIMEOUT,
    onConnect: prepare,
  };
  const pool = new pg.Pool(options);
  // Ignores lost idle connections: the next statement gets a new one.
  pool.on('error', () => undefined);
  pool.on('connect', (opened) => opened.on('error', () => undefined));
  let ended: Promise<void> | undefined;
  return {
    primary,
    pool,
    archive,
    isDry: false,
    dry: { primary, pool: rollingBack(pool), archive, isDry: true },
    openConnection: () => openConnection(client, prepare),
    close: async () => {
      await (ended ??= pool.end());
    },
  };
}

/** The pool awaits `onConnect`, but its types do not say so. */
interface PoolOptions extends Omit<pg.PoolConfig, 'onConnect'> {
  onConnect(client: pg.ClientBase): Promise<void>;
}

async function openConnection(
  options: pg.ClientConfig,
  prepare: (client: pg.ClientBase) => Promise<void>,
): Promise<pg.Client> {
  const client = new pg.Client(options).on('error', () => undefined);
  try {
    await client.connect();
    await prepare(client);
    return client;
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
}
