import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Entities } from '../entities/entities-on.ts';
import type { OrmWarning } from '../entities/orm-logger.ts';
import { connector, type Connector } from './connector.ts';
import { observeStatements, type OnStatement } from './observe-statements.ts';
import type { Primary } from './primary.ts';
import { rollingBack } from './rolling-back.ts';

/** The pause after each piece of MikroORM that is loaded. Requests go on meanwhile. */
const PAUSE_MS = 10;
const IDLE_TIMEOUT = 5 * 60_000;

export interface DatabaseOptions {
  readonly url: string;
  /** The maximum number of connections. */
  readonly poolSize: number;
  /** The time limit of a statement. Short where callers wait for the answer. */
  readonly statementTimeoutMs?: number | undefined;
  /** The name that the server shows for the connections. */
  readonly applicationName?: string;
  readonly onStatement?: OnStatement;
}

/** What the stores use: one pool of connections, for the ORM and for prepared statements alike. */
export interface StoreDatabase {
  readonly pool: pg.Pool;
  /**
   * A new entity manager and the entities, for what is asked rarely. The first call loads MikroORM: loading it beforehand
   * would be a third of every start.
   */
  entities(): Promise<Entities>;
  /** The server that all connections lead to. */
  readonly primary: Primary;
  /** True if every transaction is rolled back. */
  readonly isDry: boolean;
}

export interface Database extends StoreDatabase {
  /** For dry runs: on the same connections, every transaction is rolled back where it would be committed. */
  readonly dry: StoreDatabase;
  /** Calls the listener with each warning of MikroORM, and each of its queries that fails or is slow. */
  onOrmWarning(listener: (warning: OrmWarning) => void): void;
  /** Opens a connection beside those of the pool. It emits `end` when it is lost. */
  openConnection(): Promise<pg.Client>;
  /** Waits for running statements, then closes the connections. */
  close(): Promise<void>;
}

/** Opens a database. Connections are made when they are needed, and again after a loss. */
export function openPostgres({ onStatement, poolSize, ...options }: DatabaseOptions): Database {
  const connections = connector(options);
  const pool = new pg.Pool(poolOptions(connections, poolSize));
  // A connection that is lost while idle: the next statement gets another one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  if (onStatement !== undefined) pool.on('connect', (client) => observeStatements(client, onStatement));
  const listeners: ((warning: OrmWarning) => void)[] = [];
  const onWarning = (warning: OrmWarning): void => listeners.forEach((tell) => tell(warning));
  const dryPool = rollingBack(pool);
  const { primary } = connections;
  let ended: Promise<void> | undefined;
  return {
    primary,
    pool,
    entities: entitiesOf(pool, onWarning),
    isDry: false,
    dry: {
      primary,
      pool: dryPool,
      entities: entitiesOf(dryPool, onWarning),
      isDry: true,
    },
    onOrmWarning: (listener) => void listeners.push(listener),
    openConnection: connections.open,
    close: async () => {
      await (ended ??= pool.end());
    },
  };
}

/** Loads MikroORM at the first call. */
function entitiesOf(pool: pg.Pool, onWarning: (warning: OrmWarning) => void): () => Promise<Entities> {
  let loaded: Promise<() => Entities> | undefined;
  return async () => {
    loaded ??= loadEntities(pool, onWarning).catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return (await loaded)();
  };
}

/** Loads MikroORM piece by piece: each blocks the process for some 50 ms, and requests get on in between. */
async function loadEntities(
  pool: pg.Pool,
  onWarning: (warning: OrmWarning) => void,
): Promise<() => Entities> {
  await import('kysely');
  await sleep(PAUSE_MS);
  await import('@mikro-orm/core');
  await sleep(PAUSE_MS);
  await import('@mikro-orm/postgresql');
  await sleep(PAUSE_MS);
  const { entitiesOn } = await import('../entities/entities-on.ts');
  return entitiesOn(pool, onWarning);
}

/** The pool awaits `onConnect`, although its types do not say so. */
interface PoolOptions extends Omit<pg.PoolConfig, 'onConnect'> {
  onConnect(client: pg.ClientBase): Promise<void>;
}

/** The entity manager parses times itself, as with a pool of its own. The entities have no other types of times. */
const TYPES = new pg.TypeOverrides();
for (const type of [pg.types.builtins.DATE, pg.types.builtins.TIMESTAMPTZ]) TYPES.setTypeParser(type, String);

function poolOptions({ options, prepare }: Connector, poolSize: number): PoolOptions {
  return { ...options, types: TYPES, max: poolSize, idleTimeoutMillis: IDLE_TIMEOUT, onConnect: prepare };
}
