import { CONFIG } from './0001-config.ts';
import { LOG } from './0002-log.ts';
import { LOG_ANNOUNCEMENT } from './0003-log-announcement.ts';
import { LINEAGE } from './0004-lineage.ts';
import { PLUGIN_REGISTRY } from './0005-plugin-registry.ts';
import { RECORD_CHANGES } from './0006-record-changes.ts';
import { ONE_WAY_TO_WRITE } from './0007-one-way-to-write.ts';

/** A step of the schema. */
export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
  /** The last migration of the oldest code that can run on the schema after this step. */
  readonly oldestCode: string;
}

/** All migrations in order. A released one never changes. */
export const migrations: readonly Migration[] = [
  { name: '0001-config', statements: CONFIG, oldestCode: '0001-config' },
  { name: '0002-log', statements: LOG, oldestCode: '0002-log' },
  { name: '0003-log-announcement', statements: LOG_ANNOUNCEMENT, oldestCode: '0003-log-announcement' },
  { name: '0004-lineage', statements: LINEAGE, oldestCode: '0004-lineage' },
  { name: '0005-plugin-registry', statements: PLUGIN_REGISTRY, oldestCode: '0004-lineage' },
  { name: '0006-record-changes', statements: RECORD_CHANGES, oldestCode: '0004-lineage' },
  { name: '0007-one-way-to-write', statements: ONE_WAY_TO_WRITE, oldestCode: '0004-lineage' },
];
