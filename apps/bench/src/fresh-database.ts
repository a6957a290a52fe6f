import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@plugin-config/persistence/migrate';
import { startEmbeddedPostgres } from '@plugin-config/embedded-postgres';

/** Runs work on a new PostgreSQL with the settings of `npm start` and the service's empty tables. */
export async function withFreshDatabase<T>(work: (databaseUrl: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plugin-config-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    await migrate(postgres.url);
    return await work(postgres.url);
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true });
  }
}
