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
  postgresFamilyFeed,
  postgresJobStore,
  postgresLogEntryStore,
  postgresPluginStore,
  postgresProjectStore,
  sha256TokenHasher,
} from '@plugin-config/persistence';
import type { Ports } from '../app.ts';
import type { ConnectionPool } from '@plugin-config/server';

export interface Backend {
  readonly ports: Ports & { readonly keys: ApiKeyStore; readonly plugins: PluginStore };
  readonly pool: ConnectionPool;
  readonly statements: string[];
  close(): Promise<void>;
}

/** Opens the ports on PostgreSQL and records the statements that they send. */
export async function openBackend(url: string): Promise<Backend> {
  const statements: string[] = [];
  const onStatement = (text: string): void => void statements.push(text);
  const database = await openDatabase({ url, poolSize: 10, onStatement });
  const ports = {
    probe: postgresAccessProbe(database),
    keys: postgresApiKeyStore(database),
    plugins: postgresPluginStore(database),
    hasher: sha256TokenHasher(),
    projects: postgresProjectStore(database),
    records: postgresConfigRecordStore(database),
    feed: postgresFamilyFeed(database),
    activity: postgresActivityLog(database),
    jobs: postgresJobStore(database),
    logEntries: postgresLogEntryStore({ ...database, searchTimeoutMs: 5000 }),
    secretBox: aesSecretBox(new Map([['test', randomBytes(32)]])),
    randomness: nodeRandomness(),
    clock: { now: () => new Date() },
  };
  return { ports, pool: database.pool, statements, close: () => database.close() };
}
