import { concurrencyLimit, type ConcurrencyLimit, type CoolDown } from '@plugin-config/domain';
import type { EntitySchema } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { nodeTimer } from './node-timer.ts';
import { CONNECT_TIMEOUT, session } from './session.ts';
import { destroyWhenSilent } from './silence.ts';
import { observeStatements, type OnStatement } from './observe-statements.ts';

const IDLE_TIMEOUT = 5 * 60_000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** The pages of one project in flight: reading one may block the process for 30 ms. */
const PAGES_OF_ONE = 2;
/** A page that took longer is large, or the process is busy: its project then waits for as long. */
const QUICK_PAGE_MS = 50;
const COOL_DOWN_MAX_MS = 1000;
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

/** One pool of connections, used by the ORM and by prepared statements alike. */
export interface Database {
  readonly orm: MikroORM;
  readonly pool: pg.Pool;
  /** Limits statements that callers can make slow or that wait for locks to half of the pool. */
  readonly limitSlow: ConcurrencyLimit;
  /** Limits pages, which may be large: few at a time for each project. */
  readonly limitPages: ConcurrencyLimit;
  /** Opens a connection beside those of the pool. It emits `end` when it is lost. */
  openConnection(): Promise<pg.Client>;
  /** Waits for running statements, then closes the connections. */
  close(): Promise<void>;
}

/**
 * Opens a database. Connections are made when they are needed, and again after a loss. The ORM knows the given
 * entities.
 */
export async function connectTo(
  entities: readonly EntitySchema[],
  { url, onStatement, ...options }: DatabaseOptions,
): Promise<Database> {
  const connection = connectionOptions(url, options);
  const orm = await MikroORM.init({
    clientUrl: url,
    driverOptions: poolOptions(connection, options),
    entities: [...entities],
    ensureDatabase: false,
    logger: () => undefined,
  });
  const pool = await orm.em.getConnection().getNativeClient();
  if (!(pool instanceof pg.Pool)) throw new Error('The ORM brought no pool of connections.');
  if (onStatement !== undefined) pool.on('connect', (client) => observeStatements(client, onStatement));
  const max = Math.ceil(options.poolSize / 2);
  const limits = { max, patienceMs: CONNECT_TIMEOUT, timer: nodeTimer };
  const limitSlow = concurrencyLimit(limits);
  const limitPages = concurrencyLimit({ ...limits, maxPerTenant: PAGES_OF_ONE, coolDown: PAGES_COOL_DOWN });
  return {
    orm,
    pool,
    limitSlow,
    limitPages,
    openConnection: () => openConnection(connection, options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS),
    close: () => close(orm, pool),
  };
}

/** Closes the ORM and the pool. The ORM closes the pool only if it has used it. */
async function close(orm: MikroORM, pool: pg.Pool): Promise<void> {
  await orm.close();
  if (!pool.ended) await pool.end();
}

/** The pool awaits `onConnect`, although its types do not say so. */
interface PoolOptions extends Omit<pg.PoolConfig, 'onConnect'> {
  onConnect(client: pg.ClientBase): Promise<void>;
}

function connectionOptions(url: string, { applicationName }: Pick<DatabaseOptions, 'applicationName'>) {
  return {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
  };
}

function poolOptions(
  connection: pg.ClientConfig,
  {
    poolSize,
    statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  }: Pick<DatabaseOptions, 'poolSize' | 'statementTimeoutMs'>,
): PoolOptions {
  return {
    ...connection,
    max: poolSize,
    idleTimeoutMillis: IDLE_TIMEOUT,
    onConnect: (client) => prepareSession(client, statementTimeoutMs),
  };
}

async function openConnection(options: pg.ClientConfig, statementTimeoutMs: number): Promise<pg.Client> {
  const client = new pg.Client(options).on('error', () => undefined);
  try {
    await client.connect();
    await prepareSession(client, statementTimeoutMs);
    return client;
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
}

async function prepareSession(client: pg.ClientBase, statementTimeoutMs: number): Promise<void> {
  destroyWhenSilent(client, statementTimeoutMs);
  const query = { text: session(statementTimeoutMs), query_timeout: CONNECT_TIMEOUT };
  await client.query(query);
}
