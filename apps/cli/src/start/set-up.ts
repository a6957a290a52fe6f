import { reason } from '../reason.ts';
import { StartError } from './start-error.ts';

/** The steps that prepare a database for the apps. */
export interface SetUp {
  migrate(databaseUrl: string): Promise<unknown>;
  /** Creates the first project and API key in an empty database; resolves to null if it is not empty. */
  firstStart(databaseUrl: string, secretsKeys: string): Promise<{ readonly apiKey: string } | null>;
  /** The ids of the master keys that the database needs. */
  masterKeys(databaseUrl: string): Promise<readonly string[]>;
}

export async function migrateDatabase({ migrate }: SetUp, databaseUrl: string): Promise<void> {
  try {
    await migrate(databaseUrl);
  } catch (cause) {
    throw new StartError(`The database could not be migrated: ${reason(cause)}`, { cause });
  }
}
