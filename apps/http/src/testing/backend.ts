import { randomBytes } from 'node:crypto';
import type { ApiKeyStore, PluginStore } from '@plugin-config/domain';
import {
  aesSecretBox,
  nodeRandomness,
  openDatabase,
  postgresAccessProbe,
  postgresActivityLog,
  postgresApiKeyStore,
  postgresConfigRecordStore,
  postgresFamilyChanges,
  postgresJobStore,
  postgresLogArrivals,
  postgresLogEntryStore,
  postgresPluginStore,
  postgresProjectStore,
  postgresWakeUps,
  sha256TokenHasher,
} from '@plugin-config/persistence';
import type { Ports } from '../app.ts';
import type { MeasuredDatabase } from '@plugin-config/server';

export interface Backend {
  readonly ports: Ports & { readonly keys: ApiKeyStore; readonly plugins: PluginStore };
  readonly database: MeasuredDatabase;
  readonly statements: string[];
  close(): Promise<void>;
}

/** Opens the ports on PostgreSQL and records the statements that they send. */
export async function openBackend(url: string): Promise<Backend> {
  const statements: string[] = [];
  const onStatement = (text: string): void => void statements.push(text);
  const database = openDatabase({ url, poolSize: 10, onStatement });
  const ports = {
    probe: postgresAccessProbe(database),
    keys: postgresApiKeyStore(database),
    plugins: postgresPluginStore(database),
    hasher: sha256TokenHasher(),
    projects: postgresProjectStore(database),
    records: postgresConfigRecordStore(database),
    changes: postgresFamilyChanges(database),
    activity: postgresActivityLog(database),
    jobs: postgresJobStore(database),
    logEntries: postgresLogEntryStore({ ...database, searchTimeoutMs: 5000 }),
    arrivals: postgresLogArrivals(database),
    wakeUps: postgresWakeUps(database),
    secretBox: aesSecretBox(new Map([['test', randomBytes(32)]])),
    randomness: nodeRandomness(),
    clock: { now: () => new Date() },
  };
  const close = async (): Promise<void> => {
    ports.wakeUps.close();
    await database.close();
  };
  return { ports, database, statements, close };
}
