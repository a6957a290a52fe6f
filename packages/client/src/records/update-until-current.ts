import type { ChangeOptions, RequestOptions, WriteOptions } from '../calls/call.ts';
import { PluginConfigError } from '../http/error.ts';
import { backOffMs, sleep } from '../http/retry.ts';
import { uuid7Source } from '../uuid7.ts';
import type { ConfigRecord, RecordChange } from '../wire.ts';

/** Returns the fields to change in the current record. Called again if another writer was faster. */
export type ChangeOf = (record: ConfigRecord) => RecordChange | Promise<RecordChange>;

interface Endpoints {
  readonly retrieve: (options: RequestOptions) => Promise<ConfigRecord>;
  readonly update: (change: RecordChange, options: WriteOptions) => Promise<ConfigRecord>;
  /** Returns whether this request made one of the latest changes to the record. */
  readonly hasChanged: (requestId: string, options: RequestOptions) => Promise<boolean>;
}

const newId = uuid7Source();
const ATTEMPTS = 20;
const PAUSE = { baseMs: 10, maxPauseMs: 250 };

/** Reads, changes and writes the record, and repeats that if another writer was faster. */
export async function updateUntilCurrent(
  { retrieve, update, hasChanged }: Endpoints,
  changeOf: ChangeOf,
  { dryRun, ...options }: Omit<ChangeOptions, 'requestId'>,
): Promise<ConfigRecord> {
  for (let retry = 1; ; retry++) {
    const record = await retrieve(options);
    const change = await changeOf(record);
    const requestId = newId(Date.now());
    try {
      return await update(change, { ...options, dryRun, requestId, ifMatch: record });
    } catch (error) {
      if (!(error instanceof PluginConfigError) || error.status !== 412 || retry === ATTEMPTS) throw error;
      // An earlier attempt without a response may have been carried out. The change must not be applied twice.
      if (error.cause !== undefined) {
        // If a proxy replaces the request id, there is no way to find out.
        if (error.requestId !== requestId) throw error;
        if (await hasChanged(requestId, options)) return retrieve(options);
      }
    }
    await sleep(backOffMs(retry, PAUSE), options.signal);
  }
}
