import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the database that `createTestDatabase` connects to. */
    readonly databaseAdminUrl: string;
  }
}

/** The migrated database that every test database is cloned from. */
export const TEMPLATE = 'plugin_config_template';

/** Matches the names of the clones. */
export const CLONE = '^test_[0-9a-f]{16}$';

const BEING_ACCESSED = '55006';
const ATTEMPTS = 20;
const PAUSE_MS = 50;

export interface TestDatabase {
  readonly url: string;
  /** Closes all connections to the database and drops it. */
  drop(): Promise<void>;
}

/** Creates a migrated, empty database for one test file or one test. */
export async function createTestDatabase(adminUrl: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await clone(adminUrl, name);
  return {
    url: new URL(`/${name}`, adminUrl).href,
    drop: () => execute(adminUrl, `drop database ${name} with (force)`),
  };
}

/** Retries while the template has connections, for instance of autovacuum. */
async function clone(adminUrl: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await execute(adminUrl, `create database ${name} template ${TEMPLATE}`);
    } catch (error) {
      if (!isBeingAccessed(error) || attempt === ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

async function execute(adminUrl: string, sql: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(sql);
  } finally {
    await admin.end();
  }
}

function isBeingAccessed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === BEING_ACCESSED;
}
