import type pg from 'pg';

/** A pooler in statement mode rejects transactions as a violation of the protocol. */
const PROTOCOL_VIOLATION = '08P01';
const TRIES = 5;

/**
 * Returns whether a pooler runs each transaction in any free session, which would lose settings, locks and prepared statements,
 * or share them with other clients. On a direct connection, this takes one query.
 */
export async function isPooledByTransaction(pool: pg.Pool): Promise<boolean> {
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
