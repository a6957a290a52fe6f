import type pg from 'pg';
import { translated } from './translate-error.ts';

/** Runs the work on one connection, between `begin` and `commit`; where it throws, nothing of it was done. */
export async function inTransaction<T>(
  pool: pg.Pool,
  begin: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await translated(() => pool.connect());
  let broken = false;
  try {
    await execute(client, begin);
    const result = await work(client);
    await execute(client, 'commit');
    return result;
  } catch (error) {
    broken = !(await isRolledBack(client));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** One that is gone refuses at once. */
function isRolledBack(client: pg.ClientBase): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  );
}

/** One statement, or several, without parameters. */
export async function execute(client: pg.ClientBase, text: string): Promise<void> {
  await translated(() => client.query(text));
}
