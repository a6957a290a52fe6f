import { inject } from 'vitest';
import { type Database, type DatabaseOptions, openDatabase } from '../index.ts';
import { createTestDatabase } from './create-test-database.ts';
import { TEST_KEYS } from './test-keys.ts';

/** Runs a test on a new database, which is dropped afterwards. */
export async function withDatabase(
  run: (database: Database, url: string) => Promise<void>,
  options: Partial<DatabaseOptions> = {},
): Promise<void> {
  const { url, drop } = await createTestDatabase(inject('databaseAdminUrl'));
  const database = openDatabase({ url, poolSize: 10, masterKeys: TEST_KEYS, ...options });
  try {
    await run(database, url);
  } finally {
    await database.close();
    await drop();
  }
}
