import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '@plugin-config/embedded-postgres';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { TEMPLATE } from './create-test-database.ts';

/** The size of the lock table is PostgreSQL's default. */
const SETTINGS = {
  max_connections: 200,
  max_locks_per_transaction: 64,
  shared_buffers: '64MB',
  max_wal_size: '2GB',
};

/** Vitest's global setup: one PostgreSQL for the run, with a migrated template to clone. Returns the teardown. */
export async function setup(project: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-test-'));
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'data');
  const cluster = await startEmbeddedPostgres({ dataDir, durable: false, settings: SETTINGS });
  const teardown = async (): Promise<void> => {
    await cluster.stop();
    await removeEmbeddedPostgres(dataDir);
    await rm(folder, { recursive: true });
  };
  try {
    await makeTemplate(cluster.url);
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide('databaseAdminUrl', cluster.url);
  return teardown;
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const { migrate } = await import('../index.ts');
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(`create database ${TEMPLATE}`);
    await migrate(new URL(`/${TEMPLATE}`, adminUrl).href);
    await admin.query(`alter database ${TEMPLATE} with is_template true allow_connections false`);
  } finally {
    await admin.end();
  }
}
