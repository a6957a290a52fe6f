import { randomUUID } from 'node:crypto';
import { ingest, type EntryMessage, type MessageOrigin } from '@plugin-config/domain';
import { openDatabase, postgresIngestionStores } from '@plugin-config/persistence';
import { sampleMessage } from '../sample-message.ts';
import { LARGE_RECORDS, LARGE_SHARE, RECORDS, typeOf } from './log-of-records.ts';

const BATCH = 5000;
const LANES = 2;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SPAN_MS = 6 * DAY_MS;
const INSTANCE = randomUUID();
const LARGE = Object.values(LARGE_RECORDS);

/** Stores entries of the last days through the service's own stores. */
export async function fillLogs(databaseUrl: string, entries: number): Promise<void> {
  const database = openDatabase({ url: databaseUrl, poolSize: LANES });
  const stores = postgresIngestionStores(database);
  const batches = batchesOf(entries);
  const fill = async (): Promise<void> => {
    for (const batch of batches) await ingest({ stores }, batch);
  };
  await Promise.all(Array.from({ length: LANES }, fill));
  await database.close();
}

function* batchesOf(entries: number): Generator<readonly EntryMessage[]> {
  const now = Date.now();
  for (let from = 0; from < entries; from += BATCH) {
    yield Array.from({ length: Math.min(BATCH, entries - from) }, (_, i) =>
      entryOf(from + i, (from + i) / entries, now),
    );
  }
}

/** Returns an entry by its index. Entries are sorted by time, except for the record whose entries are all in one hour. */
function entryOf(index: number, share: number, now: number): EntryMessage {
  const recordId = LARGE[index % LARGE_SHARE] ?? randomSmallRecord();
  const timestamp =
    recordId === LARGE_RECORDS['one hour']
      ? Math.floor((now - SPAN_MS / 2) / HOUR_MS) * HOUR_MS + Math.floor(share * HOUR_MS)
      : Math.floor(now - SPAN_MS + share * SPAN_MS);
  const number = Math.floor(index / LARGE_SHARE);
  return {
    kind: 'log',
    recordId,
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

function randomSmallRecord(): number {
  return LARGE.length + 1 + Math.floor(Math.random() * (RECORDS - LARGE.length));
}

function originAt(timestamp: number): MessageOrigin {
  return {
    channel: 'bench',
    receivedAt: new Date(timestamp),
    streamTime: null,
    projectIds: [],
    pluginIds: [],
    owner: 'source bench',
    deadLetterId: null,
  };
}
