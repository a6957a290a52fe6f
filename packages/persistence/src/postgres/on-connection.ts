import type pg from 'pg';
import { translated } from './statement.ts';

/** Runs work on a connection of the pool. As for a single statement, the connection is given up if it fails. */
export async function onConnection<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await translated(() => pool.connect());
  let failed = true;
  try {
    const result = await work(client);
    failed = false;
    return result;
  } finally {
    client.release(failed);
  }
}
