import { ConfigMigration } from './0001-config.ts';
import { LogMigration } from './0002-log.ts';

/** Every step that the schema has taken, in order. A step that has been released is never changed. */
export const migrations = [
  { name: '0001-config', class: ConfigMigration },
  { name: '0002-log', class: LogMigration },
];
