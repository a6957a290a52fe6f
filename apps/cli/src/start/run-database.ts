import { RETENTION_DAYS_MAX } from '@plugin-config/domain';
import { openEmbeddedPostgres } from '@plugin-config/embedded-postgres';
import { locksPerTransaction } from '@plugin-config/persistence';
import type { Session } from './session.ts';
import { supervise } from './supervise.ts';

/** Lets the retention setting be raised without a restart of the database. */
const SETTINGS = { max_locks_per_transaction: locksPerTransaction(RETENTION_DAYS_MAX) };

/**
 * Runs the embedded database until the session ends, always at the same address, if nothing speaks against it. Answers
 * that address once it can be used.
 */
export async function runDatabase(
  session: Session,
  dataDir: string,
  permission: Promise<unknown>,
): Promise<string> {
  const { ending, resources, report } = session;
  const database = await openEmbeddedPostgres({ dataDir, settings: SETTINGS, signal: ending.signal });
  resources.defer(database.close);
  await ending.unlessEnded(permission);
  const supervision = supervise(
    { name: 'database', launch: database.launch },
    { report, giveUp: ending.fail },
  );
  resources.defer(() => supervision.stop(ending.graceMs(0), ending.hurry));
  await ending.unlessEnded(supervision.ready);
  return database.url;
}
