import { DomainError, type ConfigRecord, type ConfigRecordStore, type RecordWrite } from '@plugin-config/domain';
import { batching } from '../batching.ts';
import type { Database } from '../database.ts';
import { oneByOneOnFailure } from '../one-by-one.ts';
import { createRecords, type Creation } from './create-records.ts';
import { findRecord } from './find-record.ts';
import { holdFamily } from './hold-family.ts';
import { listRecords } from './list-records.ts';
import { readConfiguration } from './read-configuration.ts';
import { saveRecords } from './save-records.ts';

const MOST = 128;
const LANES = 2;

/** Reads are a statement each; the writes of a tick share one, and its commit. */
export function postgresConfigRecordStore(database: Pick<Database, 'pool'>): ConfigRecordStore {
  const save = batching<RecordWrite, ConfigRecord | null>({
    most: MOST,
    lanes: LANES,
    send: (writes) => oneByOneOnFailure((batch) => saveRecords(database, batch), writes),
  });
  const create = batching<Creation, ConfigRecord | DomainError>({
    most: MOST,
    lanes: LANES,
    send: (creations) => oneByOneOnFailure((batch) => createRecords(database, batch), creations),
  });
  return {
    find: (ref) => findRecord(database, ref),
    list: (family, filter, page) => listRecords(database, family, filter, page),
    create: async (family, draft, options) => unlessRefused(await create({ family, draft, ...options })),
    save,
    configuration: (ref, plugin) => readConfiguration(database, ref, plugin ?? null),
    hold: (family, work) => holdFamily(database, family, work),
  };
}

function unlessRefused(result: ConfigRecord | DomainError): ConfigRecord {
  if (result instanceof DomainError) throw result;
  return result;
}
