import {
  CHANGES_MAX_BYTES,
  DomainError,
  replacesConfiguration,
  type ConfigRecord,
  type ConfigRecordStore,
  type Once,
  type RecordWrite,
} from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { createRecords, type Creation } from './create-records.ts';
import { findRecord } from './find-record.ts';
import { lockFamily } from './lock-family.ts';
import { listChanged } from './list-changed.ts';
import { listRecords } from './list-records.ts';
import { readConfiguration } from './read-configuration.ts';
import { readPortion } from './read-portion.ts';
import { saveRecords } from './save-records.ts';
import { storeWrites } from './store-writes.ts';

/** Sends each read as one statement. The writes of a tick share one statement and its commit. */
export function postgresConfigRecordStore(
  database: Pick<Database, 'pool' | 'primary' | 'limitSlow' | 'limitPages'>,
): ConfigRecordStore {
  const save = storeWrites<RecordWrite, ConfigRecord | null>({
    store: (writes, waitMs) => saveRecords(database, writes, waitMs),
    familyOf: ({ before }) => before,
    patienceOf: ({ patience }) => patience,
    weightOf: weightOfSave,
  });
  const create = storeWrites<Creation, Once<ConfigRecord> | DomainError>({
    store: (creations, waitMs) => createRecords(database, creations, waitMs),
    familyOf: ({ family }) => family,
    patienceOf: ({ patience }) => patience,
    weightOf: () => 0,
  });
  return {
    find: (ref) => findRecord(database, ref),
    list: (family, filter, page) => listRecords(database, family, filter, page),
    listChanged: (family, since, filter, page) => listChanged(database, family, since, filter, page),
    portion: (family, ids, maxBytes) => readPortion(database, family, ids, maxBytes),
    create: async (family, draft, options) =>
      unlessRefused(await create({ family, draft, ...options, key: null })).value,
    createOnce: async (family, draft, options, key) =>
      unlessRefused(await create({ family, draft, ...options, key })),
    save,
    configuration: (ref, plugin) => readConfiguration(database, ref, plugin ?? null),
    lock: (family, work, patience) => lockFamily(database, family, work, patience),
  };
}

/** The size of the new configuration and of its activity entry, which contains old values. */
function weightOfSave(write: RecordWrite): number {
  const { before, after } = write;
  if (!replacesConfiguration(write)) return 0;
  return after.config.length + Math.min(before.config.length + after.config.length, CHANGES_MAX_BYTES);
}

function unlessRefused<T>(result: T | DomainError): T {
  if (result instanceof DomainError) throw result;
  return result;
}
