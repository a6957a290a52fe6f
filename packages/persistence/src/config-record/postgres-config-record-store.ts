import {
  DomainError,
  type ConfigRecord,
  type ConfigRecordStore,
  type RecordWrite,
} from '@plugin-config/domain';
import { batching } from '../batching.ts';
import type { Database } from '../database.ts';
import { apartOnFailure } from './apart-on-failure.ts';
import { createRecords, type Creation } from './create-records.ts';
import { findRecord } from './find-record.ts';
import { holdFamily } from './hold-family.ts';
import { listRecords } from './list-records.ts';
import { readConfiguration } from './read-configuration.ts';
import { readPortion } from './read-portion.ts';
import { saveRecords } from './save-records.ts';

const MOST = 128;
const LANES = 2;

/** Reads are a statement each; the writes of a tick share one, and its commit. */
export function postgresConfigRecordStore(
  database: Pick<Database, 'pool' | 'slowly' | 'paged'>,
): ConfigRecordStore {
  const save = batching<RecordWrite, ConfigRecord | null>({
    most: MOST,
    lanes: LANES,
    send: apartOnFailure({
      send: (writes) => saveRecords(database, writes),
      familyOf: ({ before }) => before,
    }),
  });
  const create = batching<Creation, ConfigRecord | DomainError>({
    most: MOST,
    lanes: LANES,
    send: apartOnFailure({
      send: (given) => createRecords(database, given),
      familyOf: ({ family }) => family,
    }),
  });
  return {
    find: (ref) => findRecord(database, ref),
    list: (family, filter, page) => listRecords(database, family, filter, page),
    portion: (family, ids, maxBytes) => readPortion(database, family, ids, maxBytes),
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
