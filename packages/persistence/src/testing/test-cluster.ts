import { rm } from 'node:fs/promises';
import { startEmbeddedPostgres } from '@plugin-config/embedded-postgres';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { makeTestFolder } from '../../../../tools/test-folder.ts';
import { CLONE, TEMPLATE } from './create-test-database.ts';

/** The lock table has PostgreSQL's default size. Autovacuum would start a process for each of hundreds of databases. */
const SETTINGS = {
  autovacuum: 'off',
  max_connections: 400,
  max_locks_per_transaction: 64,
  shared_buffers: '64MB',
  max_wal_size: '2GB',
};

/**
 * Vitest's global setup: starts one PostgreSQL server for the whole run, even if it covers all packages, and creates a migrated
 * template to clone. `TEST_DATABASE_URL` replaces the embedded server; its user must be a superuser. Returns the teardown.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!project.isRootProject()) return undefined;
  const given = process.env['TEST_DATABASE_URL'];
  if (given === undefined) return setUpEmbedded(project);
  await dropDatabases(given);
  await makeTemplate(given);
  project.provide('databaseAdminUrl', given);
  return () => dropDatabases(given);
}

async function setUpEmbedded(project: TestProject): Promise<() => Promise<void>> {
  const folder = await makeTestFolder('plugin-config-test-');
  const cluster = await startEmbeddedPostgres({ dataDir: folder, durable: false, settings: SETTINGS });
  const teardown = async (): Promise<void> => {
    await cluster.stop();
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
  const { migrate } = await import('../migrate.ts');
  await withAdmin(adminUrl, async (admin) => {
    await admin.query(`create database ${TEMPLATE}`);
    await migrate(new URL(`/${TEMPLATE}`, adminUrl).href);
    await admin.query(`alter database ${TEMPLATE} with is_template true allow_connections false`);
  });
}

/** Drops the template and the databases that tests have left behind. */
async function dropDatabases(adminUrl: string): Promise<void> {
  await withAdmin(adminUrl, async (admin) => {
    await admin.query(`update pg_database set datistemplate = false where datname = '${TEMPLATE}'`);
    const { rows } = await admin.query<{ readonly name: string }>(
      `select datname as name from pg_database where datname = '${TEMPLATE}' or datname ~ '${CLONE}'`,
    );
    for (const { name } of rows) await admin.query(`drop database if exists ${name} with (force)`);
  });
}

async function withAdmin(adminUrl: string, work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
