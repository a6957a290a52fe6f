import type { LogArchive } from '@plugin-config/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Entities } from '../entities/entities-on.ts';
import { watchPrimary, type Primary } from './primary.ts';
import { rollingBack } from './rolling-back.ts';
import { readServerState } from './server-state.ts';
import { CONNECT_TIMEOUT, sessionSettings } from './session.ts';
import { destroyWhenSilent } from './silence.ts';
import { tracedStatement, translated } from './statement.ts';

/** The pause after loading a part of MikroORM, in which requests can proceed. */
const PAUSE_MS = 10;
const IDLE_TIMEOUT = 5 * 60_000;
/** Idle connections are probed after this time to detect the loss of the host. */
const KEEP_ALIVE_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 10_000;

export interface DatabaseOptions {
  readonly url: string;
  /** The maximum number of connections. */
  readonly poolSize: number;
  /** The time limit of a statement. Keep it short where callers wait for the result. */
  readonly statementTimeoutMs?: number | undefined;
  /** The name that the server shows for the connections. */
  readonly applicationName?: string;
  /** The address of the service, for links in events. */
  readonly publicUrl?: string | null;
  readonly archive?: LogArchive | null;
}

/**
 * Runs work with the entities and a new entity manager, for cold paths. Loads MikroORM on the first call, since loading it would
 * slow down every start by a third. Traces the work under its name.
 */
type WithEntities = <T>(name: string, work: (entities: Entities) => Promise<T>) => Promise<T>;

/** The part of a database that the stores use. The ORM and the prepared statements share one pool. */
export interface StoreDatabase {
  readonly pool: pg.Pool;
  /** The past days of logs; null if they stay in PostgreSQL. */
  readonly archive: LogArchive | null;
  readonly entities: WithEntities;
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
    types: TYPES,
    max: poolSize,
    idleTimeoutMillis: IDLE_TIMEOUT,
    onConnect: prepare,
  };
  const pool = new pg.Pool(options);
  // Ignores lost idle connections: the next statement gets a new one.
  pool.on('error', () => undefined);
  pool.on('connect', (opened) => opened.on('error', () => undefined));
  const dryPool = rollingBack(pool);
  let ended: Promise<void> | undefined;
  return {
    primary,
    pool,
    archive,
    entities: entitiesOf(pool),
    isDry: false,
    dry: { primary, pool: dryPool, archive, entities: entitiesOf(dryPool), isDry: true },
    openConnection: () => openConnection(client, prepare),
    close: async () => {
      await (ended ??= pool.end());
    },
  };
}

function entitiesOf(pool: pg.Pool): WithEntities {
  let loaded: Promise<() => Entities> | undefined;
  const load = async (): Promise<Entities> => {
    loaded ??= loadEntities(pool).catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return (await loaded)();
  };
  return (name, work) => translated(tracedStatement(name, async () => work(await load())));
}

/** Loads MikroORM in parts, each of which blocks the process for about 50 ms. Requests proceed in between. */
async function loadEntities(pool: pg.Pool): Promise<() => Entities> {
  await import('kysely');
  await sleep(PAUSE_MS);
  await import('@mikro-orm/core');
  await sleep(PAUSE_MS);
  await import('@mikro-orm/postgresql');
  await sleep(PAUSE_MS);
  const { entitiesOn } = await import('../entities/entities-on.ts');
  return entitiesOn(pool);
}

/** The pool awaits `onConnect`, but its types do not say so. */
interface PoolOptions extends Omit<pg.PoolConfig, 'onConnect'> {
  onConnect(client: pg.ClientBase): Promise<void>;
}

/** MikroORM parses times itself, so the driver must not. The entities only use these two types. */
const TYPES = new pg.TypeOverrides();
for (const type of [pg.types.builtins.DATE, pg.types.builtins.TIMESTAMPTZ]) TYPES.setTypeParser(type, String);

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
