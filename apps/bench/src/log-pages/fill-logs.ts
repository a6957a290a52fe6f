import { randomUUID } from 'node:crypto';
import { ingest, type EntryMessage, type IngestionStores, type MessageOrigin } from '@plugin-config/domain';
import { openDatabase, postgresIngestionStores, type Database } from '@plugin-config/persistence';
import { sampleMessage } from '../sample-message.ts';
import { LARGE_RECORD, LARGE_SHARE, RECORDS, typeOf } from './log-of-records.ts';

const BATCH = 5000;
const LANES = 2;
const SPAN_MS = 6 * 86_400_000;
const INSTANCE = randomUUID();

/** Stores entries of the last days through the stores of the service. */
export async function fillLogs(
  databaseUrl: string,
  entries: number,
  storesOn: (database: Database) => IngestionStores = postgresIngestionStores,
): Promise<void> {
  const database = openDatabase({ url: databaseUrl, poolSize: LANES });
  const stores = storesOn(database);
  const batches = batchesOf(entries);
  const fill = async (): Promise<void> => {
    for (const batch of batches) await ingest({ stores }, batch);
  };
  await Promise.all(Array.from({ length: LANES }, fill));
  await database.close();
}

function* batchesOf(entries: number): Generator<readonly EntryMessage[]> {
  const start = Date.now() - SPAN_MS;
  for (let from = 0; from < entries; from += BATCH) {
    yield Array.from({ length: Math.min(BATCH, entries - from) }, (_, i) =>
      entryOf(from + i, Math.floor(start + ((from + i) / entries) * SPAN_MS)),
    );
  }
}

function entryOf(index: number, timestamp: number): EntryMessage {
  const number = Math.floor(index / LARGE_SHARE);
  const isLarge = index % LARGE_SHARE === 0;
  return {
    kind: 'log',
    recordId: isLarge ? LARGE_RECORD : LARGE_RECORD + 1 + Math.floor(Math.random() * (RECORDS - 1)),
    projectId: null,
    plugin: null,
    id: randomUUID(),
    timestamp,
    source: 'PLUGIN',
    type: typeOf(number),
    message: sampleMessage(number),
    instanceId: INSTANCE,
    text: '',
    origin: originAt(timestamp),
  };
}

function originAt(timestamp: number): MessageOrigin {
  return {
    channel: 'bench',
    receivedAt: new Date(timestamp),
    streamTime: null,
    projectIds: [],
    owner: 'source bench',
    deadLetterId: null,
  };
}
