import { startOfDay, type BatchStores, type IngestionStores } from '@plugin-config/domain';
import type pg from 'pg';
import { deadLetterWriter } from '../dead-letter/dead-letter-writer.ts';
import { storeReports } from '../delivery/store-reports.ts';
import { sequenceWriter } from '../following/add-to-sequence.ts';
import { appendEntries, areStored, TO_WRITE_LOGS } from '../log/append-entries.ts';
import { logEdges, prepareDays, type LogEdges } from '../log/days/log-days.ts';
import { entryInserter, type InsertEntries } from '../log/entries/insert-entries.ts';
import { lateFinder, UnpreparedDays, type FindLate } from '../log/late-entries.ts';
import { copiesOf } from '../log/tiers/copies.ts';
import { retryWhenBusy } from '../postgres/busy.ts';
import type { StoreDatabase } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { logUsageWriter } from '../usage/postgres-log-usage.ts';
import { translateDataErrors } from '../postgres/translate-error.ts';
import { perTimeline } from '../postgres/timeline.ts';
import { findOwners } from './find-owners.ts';

const TRIES = 4;

interface Storing {
  readonly insert: InsertEntries;
  readonly findLate: FindLate;
  readonly days: PreparedDays;
}

/** Stores each batch in one transaction, which is retried after a lost race, or once missing days have been prepared. */
export function postgresIngestionStores(database: StoreDatabase): IngestionStores {
  const days = preparedDays(database);
  const storing = { insert: entryInserter(), findLate: lateFinder(copiesOf(database)), days };
  return {
    withBatch: (work) => {
      const run = () =>
        inTransaction(database.pool, TO_WRITE_LOGS, (client) => work(batchStores(client, storing)));
      return translateDataErrors(() => withDays(days, () => retryWhenBusy(run, { tries: TRIES })));
    },
  };
}

function batchStores(client: pg.ClientBase, { insert, findLate, days }: Storing): BatchStores {
  let edgesOnce: Promise<LogEdges> | null = null;
  const edges = (): Promise<LogEdges> => (edgesOnce ??= logEdges(client));
  let unfollowed: ReadonlySet<number> = new Set();
  return {
    owners: {
      of: async (recordIds) => {
        const found = await findOwners(client, recordIds);
        unfollowed = found.unfollowed;
        return found.owners;
      },
    },
    days: { earliestKept: async () => (await edges()).earliest },
    log: {
      append: async (entries) => {
        days.check(entries.map(({ timestamp }) => timestamp.getTime()));
        return appendEntries(client, { insert, findLate, edges: await edges() }, entries);
      },
      areStored: async (entries) => areStored(client, { findLate, edges: await edges() }, entries),
    },
    sequence: sequenceWriter(client, (recordId) => unfollowed.has(recordId)),
    reports: {
      store: (reports) => storeReports(client, reports),
    },
    usage: logUsageWriter(client),
    deadLetters: deadLetterWriter(client),
  };
}

async function withDays<T>(days: PreparedDays, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnpreparedDays)) throw error;
      await days.prepare(error.days);
    }
  }
}

/**
 * The days that this process has prepared. Entries of a day that has been dropped since are too old anyway, and a day that has
 * left PostgreSQL is detected when entries are appended. A failover may lose partitions.
 */
interface PreparedDays {
  /** @throws UnpreparedDays if one of the times is on another day */
  check(moments: Iterable<number>): void;
  prepare(days: readonly number[]): Promise<void>;
}

function preparedDays({ pool, primary }: Pick<StoreDatabase, 'pool' | 'primary'>): PreparedDays {
  const preparedOn = perTimeline(() => new Set<number>());
  return {
    check(moments) {
      const prepared = preparedOn(primary.timeline);
      const unprepared = new Set<number>();
      for (const moment of moments) {
        const day = startOfDay(moment);
        if (!prepared.has(day)) unprepared.add(day);
      }
      if (unprepared.size > 0) throw new UnpreparedDays([...unprepared]);
    },
    async prepare(days) {
      const prepared = preparedOn(primary.timeline);
      await prepareDays(
        pool,
        days.map((day) => new Date(day)),
      );
      for (const day of days) prepared.add(day);
    },
  };
}
