import { DomainError, type BatchStores, type IngestionStores } from '@plugin-config/domain';
import type pg from 'pg';
import type { Database } from '../postgres/database.ts';
import { deadLetterWriter } from '../dead-letter/dead-letter-writer.ts';
import { arrivalWriter } from '../following/add-arrivals.ts';
import { storeReports } from '../delivery/store-reports.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { appendEntries, TO_WRITE_LOGS } from '../log/append-entries.ts';
import { entryInserter, type InsertEntries } from '../log/insert-entries.ts';
import { earliestKept } from '../log/log-days.ts';
import { translateDataErrors } from '../postgres/translate-data-errors.ts';
import { findOwners } from '../record/find-owners.ts';
import { knownDays, UnpreparedDays, type KnownDays } from './known-days.ts';

const TRIES = 4;

/** Stores a batch in one transaction. Retries it after a lost race or when a day was not prepared. */
export function postgresIngestionStores({ pool }: Pick<Database, 'pool'>): IngestionStores {
  const insert = entryInserter();
  const days = knownDays(pool);
  return {
    withBatch: (work) =>
      translateDataErrors(() =>
        withRetries(days, () =>
          inTransaction(pool, TO_WRITE_LOGS, (client) => work(batchStores(client, insert, days))),
        ),
      ),
  };
}

function batchStores(client: pg.ClientBase, insert: InsertEntries, days: KnownDays): BatchStores {
  let earliestOnce: Promise<number> | null = null;
  const earliest = (): Promise<number> => (earliestOnce ??= earliestKept(client));
  let unfollowed: ReadonlySet<number> = new Set();
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
        return appendEntries(client, { insert, earliest: await earliest() }, entries);
      },
    },
    arrivals: arrivalWriter(client, (recordId) => unfollowed.has(recordId)),
    reports: {
      store: async (reports) => {
        days.check(reports.deliveries.map(({ timestamp }) => timestamp));
        return storeReports(client, reports);
      },
    },
    deadLetters: deadLetterWriter(client),
  };
}

async function withRetries<T>(days: KnownDays, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof UnpreparedDays) await days.prepare(error.days);
      else if (attempt === TRIES || !(error instanceof DomainError) || error.code !== 'busy') throw error;
      else attempt++;
    }
  }
}
