import { RETENTION_DAYS_MAX } from '@plugin-config/domain';
import { openEmbeddedPostgres } from '@plugin-config/embedded-postgres';
import { locksPerTransaction } from '@plugin-config/persistence';
import type { Session } from './session.ts';
import type { StartSettings } from './start-settings.ts';
import { supervise } from './supervise.ts';

/** Allows a higher `LOG_RETENTION_DAYS` without a restart of the database. */
const LOCKS = {
  max_locks_per_transaction: locksPerTransaction({
    retentionDays: RETENTION_DAYS_MAX,
    deliveryRetentionDays: RETENTION_DAYS_MAX,
  }),
};

/** Runs the embedded database until the session ends. Starts it once `startAfter` has resolved; resolves to its URL once it is ready. */
export async function runDatabase(
  session: Session,
  { dataDir }: Pick<StartSettings, 'dataDir'>,
  startAfter: Promise<unknown>,
): Promise<string> {
  const { shutdown, resources, report } = session;
  const database = await openEmbeddedPostgres({ dataDir, settings: LOCKS, signal: shutdown.signal });
  resources.defer(database.close);
  await shutdown.race(startAfter);
  const supervision = supervise({
    name: 'database',
    launch: database.launch,
    report,
    giveUp: shutdown.fail,
  });
  resources.defer(() => supervision.stop(shutdown.graceMs(0), shutdown.force));
  await shutdown.race(supervision.ready);
  return database.url;
}
