import { reason } from '../reason.ts';
import { StartRefused } from './start-refused.ts';

/** What is done to a database before the apps run on it. */
export interface SetUp {
  migrate(databaseUrl: string): Promise<unknown>;
  /** Makes the first project and its key where the database is empty; null where it is not. */
  firstStart(databaseUrl: string): Promise<{ readonly apiKey: string } | null>;
}

export async function bringUpToDate({ migrate }: SetUp, databaseUrl: string): Promise<void> {
  try {
    await migrate(databaseUrl);
  } catch (cause) {
    throw new StartRefused(`The database could not be brought up to date: ${reason(cause)}`, { cause });
  }
}
