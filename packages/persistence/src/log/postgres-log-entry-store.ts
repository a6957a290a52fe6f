import type { LogEntry, LogEntryStore, LogFilter, LogRef } from '@plugin-config/domain';
import type pg from 'pg';
import { shareStatements } from '../postgres/share-statements.ts';
import type { Database } from '../postgres/database.ts';
import { countBefore } from './pages/count-before.ts';
import { countedPage } from './pages/counted-page.ts';
import type { LogOfRecord } from './pages/entry-columns.ts';
import { findEntries, type EntriesQuestion } from './entries/find-entries.ts';
import { findKey } from './pages/find-key.ts';
import { execute, inTransaction } from '../postgres/in-transaction.ts';
import { LOCK_AS_LONG_READER } from './days/long-readers.ts';
import { findKinds } from './kinds/log-kinds.ts';
import { newestKeys } from './pages/newest-keys.ts';
import { IN_INDEX_ORDER, ROW_BY_ROW } from '../postgres/plans.ts';
import { postgresLogAppender } from './postgres-log-appender.ts';
import { searchedCountBefore, searchedKeys, searchedPage } from './pages/searched-page.ts';
import { allowSilence } from '../postgres/silence.ts';
import { wantedKinds, type WantedKinds } from './kinds/wanted-kinds.ts';

interface Wanted extends WantedKinds {
  readonly log: LogOfRecord;
}

/** Two ways to read from a log. */
interface Ways<T> {
  readonly fromIndexes: (client: pg.ClientBase, wanted: Wanted) => Promise<T>;
  readonly fromScan: (client: pg.ClientBase, wanted: Wanted) => Promise<T>;
}

interface Dependencies extends Pick<Database, 'pool'> {
  readonly searchTimeoutMs: number;
}

/** The limits of a statement that finds entries. */
const FIND = {
  maxItems: 16,
  maxConcurrent: 2,
  isTooLate: (_: unknown, waitedMs: number) => waitedMs > 5_000,
};

/**
 * Reads in one snapshot, taken when no day can be dropped any more, so that the count of a page and its entries agree.
 */
const BEGIN = `begin isolation level repeatable read read only; ${ROW_BY_ROW}; ${IN_INDEX_ORDER}`;
const LOCK_DAYS = 'lock table only log_entry in access share mode';
const TO_READ_LOGS = `${BEGIN}; ${LOCK_DAYS}`;

export function postgresLogEntryStore({ pool, searchTimeoutMs: timeoutMs }: Dependencies): LogEntryStore {
  const toSearch = `set local statement_timeout = ${timeoutMs}; set local lock_timeout = ${timeoutMs};
    ${LOCK_AS_LONG_READER}; ${LOCK_DAYS}`;
  const find = shareStatements<EntriesQuestion, readonly LogEntry[]>({
    ...FIND,
    send: (questions) => findEntries(pool, questions),
    tenantOf: ({ record }) => record.projectId,
  });

  /** Reads within the time limit of a search. */
  const search = <T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> =>
    inTransaction(pool, BEGIN, (client) =>
      allowSilence(client, timeoutMs, async () => {
        await execute(client, toSearch);
        return work(client);
      }),
    );

  /** Reads by the indexes and the counters where these know the answer, and otherwise by a search. */
  const readLog = async <T>(
    record: LogRef,
    filter: LogFilter,
    { fromIndexes, fromScan }: Ways<T>,
  ): Promise<T> => {
    const wantedBy = async (client: pg.ClientBase): Promise<Wanted> => {
      const kinds = await findKinds(client, record);
      return { log: { ...record, kinds }, ...wantedKinds(kinds, filter) };
    };
    const read = () =>
      inTransaction(pool, TO_READ_LOGS, async (client) => {
        const wanted = await wantedBy(client);
        return wanted.isMixed ? null : fromIndexes(client, wanted);
      });
    const scan = () => search(async (client) => fromScan(client, await wantedBy(client)));
    const isSearch = filter.search !== null || filter.instanceId !== null;
    return (isSearch ? null : await read()) ?? scan();
  };

  return {
    ...postgresLogAppender({ pool }),

    find: (record, keys, maxBytes) => find({ record, keys, maxBytes }),

    page: (record, filter, page) =>
      readLog(record, filter, {
        fromIndexes: (client, { log, kindIndexes }) =>
          countedPage(client, log, kindIndexes, { filter, page }),
        fromScan: (client, { log, kindIndexes }) => searchedPage(client, log, kindIndexes, { filter, page }),
      }),

    countBefore: (record, filter, key) =>
      readLog(record, filter, {
        fromIndexes: (client, { kindIndexes }) => countBefore(client, record, kindIndexes, { filter, key }),
        fromScan: (client, { log, kindIndexes }) =>
          searchedCountBefore(client, log, kindIndexes, { filter, key }),
      }),

    findKey: (record, id) => search((client) => findKey(client, record, id)),

    newestKeys: (record, filter, limit) =>
      readLog(record, filter, {
        fromIndexes: (client, { kindIndexes }) => newestKeys(client, record, kindIndexes, { filter, limit }),
        fromScan: (client, { log, kindIndexes }) =>
          searchedKeys(client, log, kindIndexes, { filter, page: { limit, offset: 0 } }),
      }),
  };
}
