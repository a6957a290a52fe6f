import { migrateClickHouse, openClickHouse } from '@plugin-config/clickhouse';
import { migrate } from '@plugin-config/persistence/migrate';
import { inform } from './output.ts';
import type { Settings } from './settings.ts';

/** Migrates PostgreSQL, and ClickHouse if it is used. Resolves to the migrations that it ran. */
export async function migrateAll(
  databaseUrl: string,
  clickHouse: Settings['clickHouse'],
): Promise<readonly string[]> {
  const steps = await migrate(databaseUrl, { onWait: inform });
  if (clickHouse === null) return steps;
  const server = openClickHouse(clickHouse);
  try {
    const archiveSteps = await migrateClickHouse(server);
    return [...steps, ...archiveSteps.map((step) => `clickhouse ${step}`)];
  } finally {
    await server.close();
  }
}
