import {
  aesSessionCipher,
  aesSignInCipher,
  openDatabase,
  postgresIngestionStores,
  postgresLogEntryStore,
  postgresPorts,
  postgresRuntimeConfigurations,
  postgresWakeUps,
  type PostgresPorts,
} from '@plugin-config/persistence';
import { observeStatements, TEST_KEYS } from '@plugin-config/persistence/testing';
import { storeEntries } from '@plugin-config/testing';
import type { LogEntry } from '@plugin-config/domain';
import type { Ports } from '../services.ts';
import type { MeasuredDatabase } from '@plugin-config/server';

export interface Backend {
  readonly ports: Ports;
  readonly dryPorts: PostgresPorts;
  readonly database: MeasuredDatabase;
  readonly statements: string[];
  /** Stores log entries, as the worker does. */
  storeEntries(entries: readonly LogEntry[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens the ports on PostgreSQL and records their statements. */
export async function openBackend(url: string, masterKeys = TEST_KEYS): Promise<Backend> {
  const statements: string[] = [];
  const database = openDatabase({ url, poolSize: 10, masterKeys });
  observeStatements(database, (text) => void statements.push(text));
  const ports = {
    ...postgresPorts(database),
    logEntries: postgresLogEntryStore({ ...database, searchTimeoutMs: 5000 }),
    wakeUps: postgresWakeUps(database),
    configurations: postgresRuntimeConfigurations(database),
    sessionCipher: aesSessionCipher(masterKeys),
    signInCipher: aesSignInCipher(masterKeys),
    clock: { now: () => new Date() },
  };
  const close = async (): Promise<void> => {
    ports.wakeUps.close();
    await database.close();
  };
  const stores = postgresIngestionStores(database);
  return {
    ports,
    dryPorts: postgresPorts(database.dry),
    database,
    statements,
    storeEntries: async (entries) => void (await storeEntries({ stores }, entries)),
    close,
  };
}
