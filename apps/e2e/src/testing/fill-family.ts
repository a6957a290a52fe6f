import { addRecords } from '@plugin-config/persistence/testing/seed';
import type { RunningService } from './running-service.ts';
import type { Tenant } from './tenant.ts';

/** Inserts plugin configs into the database: the nth one attaches plugin n at position n. */
export async function fillFamily(
  { database }: Pick<RunningService, 'database'>,
  { projectId }: Pick<Tenant, 'projectId'>,
  given: Parameters<typeof addRecords>[2],
): Promise<readonly number[]> {
  const ids = await addRecords(database, { projectId, family: 'plugin_configs' }, given);
  await database.pool.query('analyze config_record');
  return ids;
}
