import { concurrencyLimit, type ConcurrencyLimit } from '@plugin-config/domain';
import type { EntitySchema } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { nodeTimer } from './node-timer.ts';
import { CONNECT_TIMEOUT, session } from './session.ts';
import { endInSilence } from './silence.ts';
import { tellStatements, type OnStatement } from './tell-statements.ts';

const IDLE_TIMEOUT = 5 * 60_000;
const PATIENCE_MS = 10_000;
/** Each may take the process 30 ms in which it does nothing else. */
const PAGES_OF_ONE = 2;

export interface DatabaseOptions {
  readonly url: string;
  /** The most connections at a time. */
  readonly poolSize: number;
  /** How long one statement may take. Where callers wait for the answer, this is short. */
  readonly patienceMs?: number | undefined;
  /** Who the server shows as the owner of the connections. */
  readonly applicationName?: string;
  readonly onStatement?: OnStatement;
}

/** One pool of connections, used by the ORM and by prepared statements alike. */
export interface Database {
  readonly orm: MikroORM;
  readonly pool: pg.Pool;
  /** For what callers can make slow, and what waits for locks: half of the pool is left for everything else. */
  readonly slowly: ConcurrencyLimit;
  /** For pages, which may be large: few at a time of one project. */
  readonly paged: ConcurrencyLimit;
  /** Waits for what runs. */
  close(): Promise<void>;
}

/** Connects when it is first asked something, and anew whenever that is needed. The entities are what the ORM knows. */
export async function connectTo(
  entities: readonly EntitySchema[],
  { url, onStatement, ...options }: DatabaseOptions,
): Promise<Database> {
  const orm = await MikroORM.init({
    clientUrl: url,
    driverOptions: poolOptions(url, options),
    entities: [...entities],
    ensureDatabase: false,
    logger: () => undefined,
  });
  const pool = await orm.em.getConnection().getNativeClient();
  if (!(pool instanceof pg.Pool)) throw new Error('The ORM brought no pool of connections.');
  if (onStatement !== undefined) pool.on('connect', (client) => tellStatements(client, onStatement));
  const max = Math.ceil(options.poolSize / 2);
  const limits = { max, patienceMs: CONNECT_TIMEOUT, timer: nodeTimer };
  const slowly = concurrencyLimit(limits);
  const paged = concurrencyLimit({ ...limits, maxPerKey: PAGES_OF_ONE });
  return { orm, pool, slowly, paged, close: () => close(orm, pool) };
}

/** The ORM ends the pool only where it has used it itself. */
async function close(orm: MikroORM, pool: pg.Pool): Promise<void> {
  await orm.close();
  if (!pool.ended) await pool.end();
}

/** The pool waits for `onConnect`, whatever its types say. */
interface PoolOptions extends Omit<pg.PoolConfig, 'onConnect'> {
  onConnect(client: pg.ClientBase): Promise<void>;
}

function poolOptions(
  url: string,
  { poolSize, applicationName, patienceMs = PATIENCE_MS }: Omit<DatabaseOptions, 'url'>,
): PoolOptions {
  return {
    connectionString: url,
    application_name: applicationName,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    idleTimeoutMillis: IDLE_TIMEOUT,
    keepAlive: true,
    onConnect: (client) => prepareSession(client, patienceMs),
  };
}

async function prepareSession(client: pg.ClientBase, patienceMs: number): Promise<void> {
  endInSilence(client, patienceMs);
  const query = { text: session(patienceMs), query_timeout: CONNECT_TIMEOUT };
  await client.query(query);
}
