import type { LogEntry, LogEntryStore } from '@plugin-config/domain';
import type pg from 'pg';
import { batching } from '../postgres/batching.ts';
import type { Database } from '../postgres/database.ts';
import { countedPage } from './counted-page.ts';
import type { LogOfRecord } from './entry-columns.ts';
import { findEntries, type EntriesQuestion } from './find-entries.ts';
import { execute, inTransaction } from '../postgres/in-transaction.ts';
import { LOCK_AS_LONG_READER } from './long-readers.ts';
import { findKinds } from './log-kinds.ts';
import { IN_INDEX_ORDER, ROW_BY_ROW } from '../postgres/plans.ts';
import { postgresLogAppender } from './postgres-log-appender.ts';
import { searchedPage } from './searched-page.ts';
import { allowSilence } from '../postgres/silence.ts';
import { wantedKinds, type WantedKinds } from './wanted-kinds.ts';

interface Wanted extends WantedKinds {
  readonly log: LogOfRecord;
}

interface Dependencies extends Pick<Database, 'pool' | 'limitSlow' | 'limitPages'> {
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

export function postgresLogEntryStore({
  pool,
  limitSlow,
  limitPages,
  searchTimeoutMs: timeoutMs,
}: Dependencies): LogEntryStore {
  const toSearch = `set local statement_timeout = ${timeoutMs}; set local lock_timeout = ${timeoutMs};
    ${LOCK_AS_LONG_READER}; ${LOCK_DAYS}`;
  const find = batching<EntriesQuestion, readonly LogEntry[]>({
    ...FIND,
    send: (questions) => findEntries(pool, questions),
    tenantOf: ({ record }) => record.projectId,
  });
  return {
    ...postgresLogAppender({ pool }),

    find: (record, keys, maxBytes) => find({ record, keys, maxBytes }),

    page: async (record, filter, page) => {
      const wantedBy = async (client: pg.ClientBase): Promise<Wanted> => {
        const kinds = await findKinds(client, record.id);
        return { log: { ...record, kinds }, ...wantedKinds(kinds, filter) };
      };
      const count = () =>
        inTransaction(pool, TO_READ_LOGS, async (client) => {
          const { log, kindIndexes, isMixed } = await wantedBy(client);
          return isMixed ? null : countedPage(client, log, kindIndexes, { filter, page });
        });
      const search = () =>
        inTransaction(pool, BEGIN, (client) =>
          allowSilence(client, timeoutMs, async () => {
            await execute(client, toSearch);
            const { log, kindIndexes } = await wantedBy(client);
            return searchedPage(client, log, kindIndexes, { filter, page });
          }),
        );
      const isSearch = filter.search !== null || filter.instanceId !== null;
      return (
        (isSearch ? null : await limitPages(record.projectId, count)) ?? limitSlow(record.projectId, search)
      );
    },
  };
}
