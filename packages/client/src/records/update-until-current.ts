import type { ChangeOptions, RequestOptions, WriteOptions } from '../calls/call.ts';
import type { Listing } from '../calls/listing.ts';
import { PluginConfigError } from '../http/error.ts';
import { backOffMs, sleep } from '../http/retry.ts';
import { uuid7Source } from '../uuid7.ts';
import type { ActivityEntry, ConfigRecord, PageQuery, RecordChange } from '../wire.ts';

/** Returns the fields to change in the current record. Called again if another writer got there first. */
export type ChangeOf = (record: ConfigRecord) => RecordChange | Promise<RecordChange>;

interface Methods {
  readonly retrieve: (id: number, options: RequestOptions) => Promise<ConfigRecord>;
  readonly update: (id: number, change: RecordChange, options: WriteOptions) => Promise<ConfigRecord>;
  readonly activity: (id: number, query: PageQuery, options: RequestOptions) => Listing<ActivityEntry>;
}

const newId = uuid7Source();
/** How many activity entries to search for a change whose response was lost. */
const LATEST_CHANGES = 100;
const ATTEMPTS = 20;
const PAUSE = { baseMs: 10, maxPauseMs: 250 };

/** Reads, changes and writes the record, and starts over if another writer got there first. */
export async function updateUntilCurrent(
  { retrieve, update, activity }: Methods,
  id: number,
  changeOf: ChangeOf,
  { dryRun, ...options }: Omit<ChangeOptions, 'requestId'>,
): Promise<ConfigRecord> {
  for (let retry = 1; ; retry++) {
    const record = await retrieve(id, options);
    const change = await changeOf(record);
    const requestId = newId(Date.now());
    try {
      return await update(id, change, { ...options, dryRun, requestId, ifMatch: record });
    } catch (error) {
      if (!(error instanceof PluginConfigError) || error.status !== 412 || retry === ATTEMPTS) throw error;
      // An earlier attempt without a response may have been carried out. The change must not be applied twice.
      if (error.cause !== undefined) {
        // If a proxy replaces the request id, there is no way to find out.
        if (error.requestId !== requestId) throw error;
        const { results } = await activity(id, { limit: LATEST_CHANGES }, options).page();
        if (results.some((entry) => entry.request_id === requestId)) return retrieve(id, options);
      }
    }
    await sleep(backOffMs(retry, PAUSE), options.signal);
  }
}
