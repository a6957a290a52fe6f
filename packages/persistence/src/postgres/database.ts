import { ranOutOfPatience } from '@plugin-config/domain';
import { concurrencyLimit, type ConcurrencyLimit, type CoolDown } from '@plugin-config/flow';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Entities } from '../entities/entities-on.ts';
import type { OrmWarning } from '../entities/orm-logger.ts';
import { connector, type Connector } from './connector.ts';
import { observeStatements, type OnStatement } from './observe-statements.ts';
import { nodeTimer } from '@plugin-config/flow/node';
import type { Primary } from './primary.ts';
import { rollingBack } from './rolling-back.ts';
import { CONNECT_TIMEOUT } from './session.ts';

/** The pause after each piece of MikroORM that is loaded. Requests go on meanwhile. */
const PAUSE_MS = 10;
const IDLE_TIMEOUT = 5 * 60_000;
/** The pages of one project in flight: reading one may block the process for 30 ms. */
const PAGES_OF_ONE = 2;
/** A page that took longer is large, or the process is busy: its project then waits for as long. */
const QUICK_PAGE_MS = 50;
/** Whom pages are limited for that are of no project. */
export const NO_PROJECT = 0;
const COOL_DOWN_MAX_MS = 1000;
/** The connections that dry runs take at a time, so that they leave the others to what is stored. */
const DRY_CONNECTIONS = 2;
const PAGES_COOL_DOWN: CoolDown = {
  msAfter: (tookMs) => (tookMs < QUICK_PAGE_MS ? 0 : Math.min(tookMs, COOL_DOWN_MAX_MS)),
  now: () => performance.now(),
};

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
  /** Limits statements that callers can make slow or that wait for locks to half of the pool. */
  readonly limitSlow: ConcurrencyLimit;
  /** Limits pages, which may be large: few at a time for each project, and for all of administration (`NO_PROJECT`). */
  readonly limitPages: ConcurrencyLimit;
  /** True if every transaction is rolled back. */
  readonly isDry: boolean;
}

export interface Database extends StoreDatabase {
  /** For dry runs: on the same connections, few at a time, every transaction is rolled back where it would be committed. */
  readonly dry: StoreDatabase;
  /** Calls the listener with each warning of MikroORM, and each of its queries that fails or is slow. */
  onOrmWarning(listener: (warning: OrmWarning) => void): void;
  /** Opens a connection beside those of the pool. It emits `end` when it is lost. */
  openConnection(): Promise<pg.Client>;
  /** Waits for running statements, then closes the connections. */
  close(): Promise<void>;
}

/** Opens a database. Connections are made when they are needed, and again after a loss. */
export function openDatabase({ onStatement, poolSize, ...options }: DatabaseOptions): Database {
  const connections = connector(options);
  const pool = new pg.Pool(poolOptions(connections, poolSize));
  // A connection that is lost while idle: the next statement gets another one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  if (onStatement !== undefined) pool.on('connect', (client) => observeStatements(client, onStatement));
  const max = Math.ceil(poolSize / 2);
  const limits = { max, patienceMs: CONNECT_TIMEOUT, refusal: ranOutOfPatience, timer: nodeTimer };
  const limitSlow = concurrencyLimit(limits);
  const limitPages = concurrencyLimit({ ...limits, maxPerTenant: PAGES_OF_ONE, coolDown: PAGES_COOL_DOWN });
  const listeners: ((warning: OrmWarning) => void)[] = [];
  const onWarning = (warning: OrmWarning): void => listeners.forEach((tell) => tell(warning));
  const limitDry = concurrencyLimit({ ...limits, max: DRY_CONNECTIONS });
  let taken = 0;
  // Each is a tenant of its own: what tenants may take is limited before.
  const dryPool = rollingBack(pool, (work) => limitDry(taken++, work));
  const common = { primary: connections.primary, limitPages };
  let ended: Promise<void> | undefined;
  return {
    ...common,
    pool,
    entities: entitiesOf(pool, onWarning),
    limitSlow,
    isDry: false,
    dry: {
      ...common,
      pool: dryPool,
      entities: entitiesOf(dryPool, onWarning),
      limitSlow: concurrencyLimit({ ...limits, max: DRY_CONNECTIONS }),
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
