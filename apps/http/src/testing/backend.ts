import { randomBytes } from 'node:crypto';
import type { ApiKeyStore, PluginStore } from '@plugin-config/domain';
import {
  aesSecretBox,
  aesSessionSeal,
  openDatabase,
  postgresLogEntryStore,
  postgresPorts,
  postgresRuntimeConfigurations,
  postgresWakeUps,
  type SecretsKeys,
} from '@plugin-config/persistence';
import type { DryPorts, Ports } from '../app.ts';
import type { MeasuredDatabase } from '@plugin-config/server';

export interface Backend {
  readonly ports: Ports & { readonly keys: ApiKeyStore; readonly plugins: PluginStore };
  readonly dryPorts: DryPorts;
  readonly database: MeasuredDatabase;
  readonly statements: string[];
  close(): Promise<void>;
}

/** Opens the ports on PostgreSQL and records the statements that they send. */
export async function openBackend(url: string, secretsKeys = anyKeys()): Promise<Backend> {
  const statements: string[] = [];
  const onStatement = (text: string): void => void statements.push(text);
  const database = openDatabase({ url, poolSize: 10, onStatement });
  const secretBox = aesSecretBox(secretsKeys);
  const ports = {
    ...postgresPorts(database),
    logEntries: postgresLogEntryStore({ ...database, searchTimeoutMs: 5000 }),
    wakeUps: postgresWakeUps(database),
    secretBox,
    configurations: postgresRuntimeConfigurations({ ...database, secretBox }),
    sessionSeal: aesSessionSeal(secretsKeys),
    clock: { now: () => new Date() },
  };
  const close = async (): Promise<void> => {
    ports.wakeUps.close();
    await database.close();
  };
  return { ports, dryPorts: postgresPorts(database.dry), database, statements, close };
}

function anyKeys(): SecretsKeys {
  return new Map([['test', randomBytes(32)]]);
}
