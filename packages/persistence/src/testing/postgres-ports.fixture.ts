import { inject } from 'vitest';
import { type Database, openDatabase } from '../index.ts';
import { createTestDatabase } from './create-test-database.ts';
import type { TestDatabaseOptions } from './database-of-file.ts';
import { observeStatements } from './observe-statements.ts';
import { TEST_KEYS } from './test-keys.ts';

/** Runs a test on a new database, which is dropped afterwards. */
export async function withDatabase(
  run: (database: Database, url: string) => Promise<void>,
  { onStatement, ...options }: TestDatabaseOptions = {},
): Promise<void> {
  const { url, drop } = await createTestDatabase(inject('databaseAdminUrl'));
  const database = openDatabase({ url, poolSize: 10, masterKeys: TEST_KEYS, ...options });
  if (onStatement !== undefined) observeStatements(database, onStatement);
  try {
    await run(database, url);
  } finally {
    await database.close();
    await drop();
  }
}
