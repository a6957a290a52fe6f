import { ConfigMigration } from './0001-config.ts';
import { LogMigration } from './0002-log.ts';

/** All migrations in order. A released one never changes. */
export const migrations = [
  { name: '0001-config', class: ConfigMigration },
  { name: '0002-log', class: LogMigration },
];
