import type { ConfigRecordStore } from '@plugin-config/domain';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { keptCreation, recordCreator } from './create-records.ts';
import { findRecord, readChunk } from './find-records.ts';
import { lockFamily } from './lock-family.ts';
import { listChanged, listRecords } from './list-records.ts';
import { recordSaver } from './save-records.ts';

/** Sends each read as one statement, and batches writes. */
export function postgresConfigRecordStore(
  database: Pick<EncryptedDatabase, 'pool' | 'primary' | 'configurations' | 'isDry'>,
): ConfigRecordStore {
  const create = recordCreator(database);
  return {
    find: (ref) => findRecord(database, ref),
    list: (family, filter, page) => listRecords(database, family, filter, page),
    listChanged: (family, since, filter, page) => listChanged(database, family, since, filter, page),
    chunk: (family, ids, maxBytes) => readChunk(database.pool, database, family, { ids, maxBytes }),
    create: (family, draft, options) => create({ family, draft, ...options }),
    kept: (family, draft, author) => keptCreation(database, { family, draft, author }),
    save: recordSaver(database),
    lock: (family, work, deadline) => lockFamily(database, family, work, deadline),
  };
}
