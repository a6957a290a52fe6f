import { ConfigMigration } from './0001-config.ts';
import { LogMigration } from './0002-log.ts';
import { LogAnnouncementMigration } from './0003-log-announcement.ts';
import { LineageMigration } from './0004-lineage.ts';

/** All migrations in order. A released one never changes. */
export const migrations = [
  { name: '0001-config', class: ConfigMigration },
  { name: '0002-log', class: LogMigration },
  { name: '0003-log-announcement', class: LogAnnouncementMigration },
  { name: '0004-lineage', class: LineageMigration },
];
