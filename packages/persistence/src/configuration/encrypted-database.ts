import type { SecretsKeys } from '../crypto/secrets-keys.ts';
import {
  openPostgres,
  type Database,
  type DatabaseOptions,
  type StoreDatabase,
} from '../postgres/database.ts';
import { newConfigurations, type Configurations } from './configurations.ts';

interface Encryption {
  readonly masterKeys: SecretsKeys;
  readonly configurations: Configurations;
}

export type EncryptedStore = StoreDatabase & Encryption;

export interface EncryptedDatabase extends Database, Encryption {
  readonly dry: EncryptedStore;
}

export interface EncryptedDatabaseOptions extends DatabaseOptions {
  /** Without any, configurations can be neither encrypted nor decrypted. */
  readonly masterKeys?: SecretsKeys;
}

/** Opens a database. It connects on demand, and reconnects after a failure. */
export function openDatabase({
  masterKeys = new Map(),
  ...options
}: EncryptedDatabaseOptions): EncryptedDatabase {
  const database = openPostgres(options);
  const encryption = { masterKeys, configurations: newConfigurations({ ...database, masterKeys }) };
  return { ...database, ...encryption, dry: { ...database.dry, ...encryption } };
}
