import { logMigration } from './0001-log.ts';
import type { Migration } from './migration.ts';

/** All migrations in the order of their names. Released migrations never change. */
export const migrations: readonly Migration[] = [logMigration];
