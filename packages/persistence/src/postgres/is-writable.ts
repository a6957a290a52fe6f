import type { Database } from './database.ts';
import { run, type Statement } from './statement.ts';

const PING: Statement = {
  name: 'ping',
  text: `select current_setting('transaction_read_only')`,
  timeoutMs: 2_000,
};

/** Returns whether the database accepts writes. @throws DomainError `unavailable` if it does not respond */
export async function isWritable({ pool }: Pick<Database, 'pool'>): Promise<boolean> {
  const [row] = await run(pool, PING, []);
  return row?.[0] === 'off';
}
