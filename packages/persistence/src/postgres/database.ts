import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Entities } from '../entities/entities-on.ts';
import type { OrmWarning } from '../entities/orm-logger.ts';
import { connector, type Connector } from './connector.ts';
import type { Primary } from './primary.ts';
import { rollingBack } from './rolling-back.ts';

/** The pause after loading a part of MikroORM, in which requests can proceed. */
const PAUSE_MS = 10;
const IDLE_TIMEOUT = 5 * 60_000;

/** Called with the text of each sent statement. */
type OnStatement = (text: string) => void;

export interface DatabaseOptions {
  readonly url: string;
  /** The maximum number of connections. */
  readonly poolSize: number;
  /** The time limit of a statement. Keep it short where callers wait for the result. */
  readonly statementTimeoutMs?: number | undefined;
  /** The name that the server shows with the connections. */
  readonly applicationName?: string;
  readonly onStatement?: OnStatement;
}

/** The part of a database that the stores use. The ORM and the prepared statements share one pool. */
export interface StoreDatabase {
  readonly pool: pg.Pool;
  /**
   * Returns the entities with a new entity manager, for cold paths. Loads MikroORM on the first call, since it would make each
   * start a third slower.
   */
  entities(): Promise<Entities>;
  readonly primary: Primary;
  /** True if every transaction is rolled back. */
  readonly isDry: boolean;
}

export interface Database extends StoreDatabase {
  /** For dry runs: uses the same connections, but rolls back every transaction instead of committing it. */
  readonly dry: StoreDatabase;
  /** Calls the listener with each warning of MikroORM, and with each of its queries that fails or is slow. */
  onOrmWarning(listener: (warning: OrmWarning) => void): void;
  /** Opens a connection outside of the pool. It emits `end` when it is lost. */
  openConnection(): Promise<pg.Client>;
  /** Waits for running statements, then closes the connections. */
  close(): Promise<void>;
}

/** Opens a database. It connects on demand, and reconnects after a failure. */
export function openPostgres({ onStatement, poolSize, ...options }: DatabaseOptions): Database {
  const connections = connector(options);
  const pool = new pg.Pool(poolOptions(connections, poolSize));
  // Ignores lost idle connections: the next statement gets a new one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  if (onStatement !== undefined) pool.on('connect', (client) => observeStatements(client, onStatement));
  const listeners: ((warning: OrmWarning) => void)[] = [];
  const onWarning = (warning: OrmWarning): void => listeners.forEach((listener) => listener(warning));
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

/** Loads MikroORM on the first call. */
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

/** Loads MikroORM in parts, each of which blocks the process for about 50 ms. Requests proceed in between. */
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

/** The pool awaits `onConnect`, but its types do not say so. */
interface PoolOptions extends Omit<pg.PoolConfig, 'onConnect'> {
  onConnect(client: pg.ClientBase): Promise<void>;
}

/** MikroORM parses times itself, so the driver must not. The entities only use these types of times. */
const TYPES = new pg.TypeOverrides();
for (const type of [pg.types.builtins.DATE, pg.types.builtins.TIMESTAMPTZ]) TYPES.setTypeParser(type, String);

function poolOptions({ options, prepare }: Connector, poolSize: number): PoolOptions {
  return { ...options, types: TYPES, max: poolSize, idleTimeoutMillis: IDLE_TIMEOUT, onConnect: prepare };
}

/** Observes the statements of a connection, for tests and measurements. */
function observeStatements(client: pg.ClientBase, onStatement: OnStatement): void {
  const query = client.query.bind(client) as (...parameters: readonly unknown[]) => unknown;
  const observed = (...parameters: readonly unknown[]): unknown => {
    onStatement(textOf(parameters[0]));
    return query(...parameters);
  };
  Object.assign(client, { query: observed });
}

function textOf(parameters: unknown): string {
  if (typeof parameters === 'string') return parameters;
  return typeof parameters === 'object' && parameters !== null && 'text' in parameters
    ? String(parameters.text)
    : '';
}
