import type { LogEntry, LogEntryStore, LogFilter } from '@plugin-config/domain';
import type pg from 'pg';
import { shareStatements } from '../postgres/share-statements.ts';
import type { Database } from '../postgres/database.ts';
import { countBefore } from './pages/count-before.ts';
import { countedPage } from './pages/counted-page.ts';
import { findEntries, type EntriesQuestion } from './entries/find-entries.ts';
import { findKey } from './pages/find-key.ts';
import { execute, inTransaction } from '../postgres/in-transaction.ts';
import { LOCK_AS_LONG_READER } from './days/long-readers.ts';
import { newestKeys } from './pages/newest-keys.ts';
import { IN_INDEX_ORDER, ROW_BY_ROW } from '../postgres/plans.ts';
import { postgresLogAppender } from './postgres-log-appender.ts';
import { searchedCountBefore, searchedKeys, searchedPage } from './pages/searched-page.ts';
import { allowSilence } from '../postgres/silence.ts';
import { wantedKinds, type Kinds } from './entries/wanted-kinds.ts';

/** Two ways to read from a log. */
interface Ways<T> {
  readonly fromIndexes: (client: pg.ClientBase, kinds: Kinds) => Promise<T>;
  readonly fromScan: (client: pg.ClientBase, kinds: Kinds) => Promise<T>;
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
  const readLog = <T>(filter: LogFilter, { fromIndexes, fromScan }: Ways<T>): Promise<T> => {
    const { kinds, isMixed } = wantedKinds(filter);
    const isSearch = filter.search !== null || filter.instanceId !== null || isMixed;
    return isSearch
      ? search((client) => fromScan(client, kinds))
      : inTransaction(pool, TO_READ_LOGS, (client) => fromIndexes(client, kinds));
  };

  return {
    ...postgresLogAppender({ pool }),

    find: (record, keys, maxBytes) => find({ record, keys, maxBytes }),

    page: (record, filter, page) =>
      readLog(filter, {
        fromIndexes: (client, kinds) => countedPage(client, record, kinds, { filter, page }),
        fromScan: (client, kinds) => searchedPage(client, record, kinds, { filter, page }),
      }),

    countBefore: (record, filter, key) =>
      readLog(filter, {
        fromIndexes: (client, kinds) => countBefore(client, record, kinds, { filter, key }),
        fromScan: (client, kinds) => searchedCountBefore(client, record, kinds, { filter, key }),
      }),

    findKey: (record, id) => search((client) => findKey(client, record, id)),

    newestKeys: (record, filter, limit) =>
      readLog(filter, {
        fromIndexes: (client, kinds) => newestKeys(client, record, kinds, { filter, limit }),
        fromScan: (client, kinds) =>
          searchedKeys(client, record, kinds, { filter, page: { limit, offset: 0 } }),
      }),
  };
}
