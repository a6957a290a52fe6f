import { openDatabase } from '@plugin-config/persistence';
import { addProjects, addRecords, TEST_KEYS } from '@plugin-config/persistence/testing/seed';

export const CONFIG = JSON.stringify({ host: 'events.example.com', batch: 500, region: 'eu-west-1' });

/** Adds projects and their plugin configs. The ids of both start at 1. */
export async function seedRecords(
  databaseUrl: string,
  projects: number,
  recordsPerProject: number,
): Promise<void> {
  const database = openDatabase({ url: databaseUrl, poolSize: 1, masterKeys: TEST_KEYS });
  const plugin = (n: number): number => 1 + (n % 20);
  for (const projectId of await addProjects(database, projects)) {
    const records = { records: recordsPerProject, plugin, config: () => CONFIG };
    await addRecords(database, { projectId, family: 'plugin_configs' }, records);
  }
  await database.pool.query(
    `update config_record set enabled = true, name = 'Record ' || position, description = 'Sends events on'`,
  );
  await database.close();
}
