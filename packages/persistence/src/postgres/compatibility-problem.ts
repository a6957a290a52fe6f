import type pg from 'pg';
import type { Database } from './database.ts';
import { translated } from './statement.ts';

/** Returns why the service cannot work with the database and what to do about it, in one line; null if it can. */
type Check = (pool: pg.Pool) => Promise<string | null>;

/** The checks that `migrate` and each process run first, in this order. */
const CHECKS: readonly Check[] = [checkPooler, checkEncoding, checkSchema, checkCollations];

/** Returns the first reason why the service cannot work with the database; null if there is none. */
export async function compatibilityProblem({ pool }: Pick<Database, 'pool'>): Promise<string | null> {
  for (const check of CHECKS) {
    const reason = await translated(() => check(pool));
    if (reason !== null) return reason;
  }
  return null;
}

async function checkPooler(pool: pg.Pool): Promise<string | null> {
  return (await isPooledByTransaction(pool))
    ? 'The connection pooler in front of the database switches connections between transactions, which the service does not support: set it to session mode (pgbouncer: pool_mode = session), or connect to PostgreSQL directly.'
    : null;
}

async function checkEncoding(pool: pg.Pool): Promise<string | null> {
  const encoding = await queryValue(pool, `select current_setting('server_encoding')`);
  return encoding === 'UTF8'
    ? null
    : `The encoding of the database is ${encoding}, which cannot store every text: create a database with "create database … template template0 encoding 'UTF8'".`;
}

async function checkSchema(pool: pg.Pool): Promise<string | null> {
  if ((await queryValue(pool, 'select current_schema()')) !== null) return null;
  const path = await queryValue(pool, `select current_setting('search_path')`);
  return `No schema of the search_path (${path}) exists, or the role may not use it: create the schema, or set another search_path.`;
}

/** Searches need one of these collations. */
async function checkCollations(pool: pg.Pool): Promise<string | null> {
  const text = `select count(*) from pg_collation where collname in ('pg_c_utf8', 'und-x-icu')`;
  return (await queryValue(pool, text)) === '0'
    ? 'This PostgreSQL is older than 17 and was built without ICU, so searches could not ignore case: use PostgreSQL 17 or newer, or a build with ICU.'
    : null;
}

async function queryValue(pool: pg.Pool, text: string): Promise<string | null> {
  const { rows } = await pool.query<[string | null]>({ text, rowMode: 'array' });
  return rows[0]?.[0] ?? null;
}

/** A pooler in statement mode rejects transactions as a violation of the protocol. */
const PROTOCOL_VIOLATION = '08P01';
const TRIES = 5;

/**
 * Returns whether a pooler runs each transaction in any free session. Settings, locks and prepared statements would be lost, or
 * shared with other clients. On a direct connection, this takes one query.
 */
async function isPooledByTransaction(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  try {
    if ((await sessionOf(client)) === initialSession(client)) return false;
    for (let tried = 0; tried < TRIES; tried += 1) {
      if (await losesSession(client, pool)) return true;
    }
    return false;
  } finally {
    client.release();
  }
}

/** Returns whether the session of an idle connection changes when another connection opens a transaction. */
async function losesSession(client: pg.ClientBase, pool: pg.Pool): Promise<boolean> {
  const before = await sessionOf(client);
  const other = await pool.connect();
  try {
    await other.query('begin');
    return (await sessionOf(other)) === before || (await sessionOf(client)) !== before;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === PROTOCOL_VIOLATION) return true;
    throw error;
  } finally {
    other.release(true);
  }
}

/** Returns the server process that currently serves the connection. */
async function sessionOf(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ readonly pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

/** Returns the process id that the server sent on connect. A pooler sends a different one. */
function initialSession(client: pg.ClientBase): number | null {
  return (client as pg.ClientBase & { readonly processID: number | null }).processID;
}
