import type pg from 'pg';

/** A pooler in statement mode rejects transactions as a violation of the protocol. */
const PROTOCOL_VIOLATION = '08P01';
const TRIES = 5;

/**
 * Whether a pooler gives each transaction any free session of PostgreSQL, so that settings, locks and prepared
 * statements are lost or meet those of others. A direct connection needs one query to find out.
 */
export async function isPooledByTransaction(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  try {
    if ((await sessionOf(client)) === announcedSession(client)) return false;
    for (let tried = 0; tried < TRIES; tried += 1) {
      if (await losesSession(client, pool)) return true;
    }
    return false;
  } finally {
    client.release();
  }
}

/** Whether the session of an idle connection changes when another connection opens a transaction. */
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

/** The server process that serves the connection now. */
async function sessionOf(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ readonly pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

/** The process id that the server announced on connect; a pooler announces another one. */
function announcedSession(client: pg.ClientBase): number | null {
  return (client as pg.ClientBase & { readonly processID: number | null }).processID;
}
