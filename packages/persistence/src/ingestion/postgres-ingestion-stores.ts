import {
  ranOutOfPatience,
  type BatchStores,
  type IngestionStores,
  type SeparateLog,
} from '@plugin-config/domain';
import { queuedPermits } from '@plugin-config/flow';
import type pg from 'pg';
import type { Database } from '../postgres/database.ts';
import { nodeTimer } from '@plugin-config/flow/node';
import { deadLetterWriter } from '../dead-letter/dead-letter-writer.ts';
import { storeReports } from '../delivery/store-reports.ts';
import { retryWhenBusy } from '../postgres/busy.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { entriesInPostgres, type EntryStorage } from '../log/batch-entries.ts';
import { entriesInSeparateLog } from '../log/entries-in-separate-log.ts';
import { entryInserter } from '../log/entries/insert-entries.ts';
import { areStored } from '../log/entries/are-stored.ts';
import { logUsageWriter } from '../usage/log-usage-writer.ts';
import { earliestKept } from '../log/days/log-days.ts';
import { translateDataErrors } from '../postgres/translate-data-errors.ts';
import { findOwners } from './find-owners.ts';
import { knownDays, UnpreparedDays, type KnownDays } from './known-days.ts';

const TRIES = 4;

/** A batch with entries holds a connection while the separate log stores them, so not all connections are for these. */
const SEPARATE = { max: 4, reserve: 0, tooLate: ranOutOfPatience, timer: nodeTimer };
const WAIT = { remainingMs: 10_000 };
/** The tenant of all batches. */
const ALL = 0;

interface Dependencies extends Pick<Database, 'pool' | 'primary'> {
  /** Stores the entries in place of PostgreSQL. */
  readonly separateLog?: SeparateLog | null;
}

/** Stores a batch in one transaction. Retries it after a lost race or when a day was not prepared. */
export function postgresIngestionStores({ separateLog = null, ...database }: Dependencies): IngestionStores {
  const storage =
    separateLog === null ? entriesInPostgres(entryInserter()) : entriesInSeparateLog(separateLog);
  const days = knownDays(database);
  const permits = queuedPermits(SEPARATE);
  const permitted = async <T>(store: () => Promise<T>): Promise<T> => {
    if (!permits.take(ALL)) await permits.wait(ALL, WAIT);
    try {
      return await store();
    } finally {
      permits.give(ALL);
    }
  };
  return {
    withBatch: (work, { hasEntries = true } = {}) => {
      const run = () =>
        inTransaction(database.pool, storage.begin, (client) => work(batchStores(client, storage, days)));
      const retried = () =>
        retryWhenBusy(separateLog !== null && hasEntries ? () => permitted(run) : run, { tries: TRIES });
      return translateDataErrors(() => withDays(days, retried));
    },
  };
}

function batchStores(client: pg.ClientBase, storage: EntryStorage, days: KnownDays): BatchStores {
  let earliestOnce: Promise<number> | null = null;
  const earliest = (): Promise<number> => (earliestOnce ??= earliestKept(client));
  let unfollowed: ReadonlySet<number> = new Set();
  const { append, arrivals } = storage.entriesOf(client, (recordId) => unfollowed.has(recordId));
  return {
    owners: {
      of: async (recordIds) => {
        const found = await findOwners(client, recordIds);
        unfollowed = found.unfollowed;
        return found.owners;
      },
    },
    days: { earliestKept: earliest },
    log: {
      append: async (entries) => {
        days.check(entries.map(({ timestamp }) => timestamp.getTime()));
        return append(entries, await earliest());
      },
      areStored: (entries) => areStored(client, entries),
    },
    arrivals,
    reports: {
      store: async (reports) => {
        days.check(reports.deliveries.map(({ timestamp }) => timestamp));
        return storeReports(client, reports);
      },
    },
    usage: logUsageWriter(client),
    deadLetters: deadLetterWriter(client),
  };
}

/** Prepares the days that turn out to be missing. */
async function withDays<T>(days: KnownDays, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnpreparedDays)) throw error;
      await days.prepare(error.days);
    }
  }
}
