import type { LogEntry, LogEntryStore, LogFilter } from '@plugin-config/domain';
import type { StoreDatabase } from '../postgres/database.ts';
import { execute, inTransaction } from '../postgres/in-transaction.ts';
import { IN_INDEX_ORDER, ROW_BY_ROW } from '../postgres/plans.ts';
import { allowSilence } from '../postgres/silence.ts';
import { shareStatements } from '../postgres/statement.ts';
import { copiedDays } from './days/log-days.ts';
import { LOCK_AS_LONG_READER } from './days/drop-day-in-use.ts';
import { findEntries, type EntriesQuery } from './entries/find-entries.ts';
import { wantedKinds, type Kinds } from './entries/kinds.ts';
import { findKey, newestKeys } from './pages/read-entries.ts';
import { searchedKeys } from './pages/searched-page.ts';
import { copiesOf } from './tiers/copies.ts';
import { countedTiers } from './tiers/counted-tiers.ts';
import type { ReadSnapshot } from './tiers/tier-reader.ts';
import { searchedTiers } from './tiers/searched-tiers.ts';
import { tierEntries } from './tiers/tier-entries.ts';

interface Dependencies extends StoreDatabase {
  readonly searchTimeoutMs: number;
}

/** The limits of shared statements that find entries. */
const FIND = {
  maxItems: 16,
  maxConcurrent: 2,
  isTooLate: (_: unknown, waitedMs: number) => waitedMs > 5_000,
};

/** The snapshot is taken after the days are locked against moving and dropping, so the count and entries of a page agree. */
const BEGIN = `begin isolation level repeatable read read only; ${ROW_BY_ROW}; ${IN_INDEX_ORDER}`;
const LOCK_DAYS = 'lock table only log_entry in access share mode';
const TO_READ_LOGS = `${BEGIN}; ${LOCK_DAYS}`;
/** The transaction is idle during the search in the other tier. */
const IDLE_MARGIN_MS = 5_000;

/** Reads logs from both tiers. */
export function postgresLogEntryStore({
  searchTimeoutMs: timeoutMs,
  ...database
}: Dependencies): LogEntryStore {
  const { pool } = database;
  const toSearch = `set local statement_timeout = ${timeoutMs}; set local lock_timeout = ${timeoutMs};
    set local idle_in_transaction_session_timeout = ${timeoutMs + IDLE_MARGIN_MS}; ${LOCK_AS_LONG_READER}; ${LOCK_DAYS}`;
  const find = shareStatements<EntriesQuery, readonly LogEntry[]>({
    ...FIND,
    send: (queries) => findEntries(pool, queries),
    tenantOf: ({ record }) => record.projectId,
  });

  const read: ReadSnapshot = (work) =>
    inTransaction(pool, TO_READ_LOGS, async (client) => work(client, await copiedDays(client)));

  /** Like `read`, with the time limit of a search. */
  const search: ReadSnapshot = (work) =>
    inTransaction(pool, BEGIN, (client) =>
      allowSilence(client, timeoutMs, async () => {
        await execute(client, toSearch);
        return work(client, await copiedDays(client));
      }),
    );

  const copies = copiesOf(database);
  const entries = tierEntries({
    copies,
    find: (record, keys, maxBytes) => find({ record, keys, maxBytes }),
    copiedDays: () => copiedDays(pool),
  });
  const counted = countedTiers({ copies, read, entries, copiedDays: () => copiedDays(pool) });
  const searched = searchedTiers({ copies, search, entries });

  return {
    find: (record, keys, maxBytes) => find({ record, keys, maxBytes }),

    entry: entries.one,

    page: (record, filter, page, signal) => {
      const { kinds, isSearch } = planOf(filter);
      return (isSearch ? searched : counted).page({ record, filter, kinds, signal }, page);
    },

    countBefore: (record, filter, key, signal) => {
      const { kinds, isSearch } = planOf(filter);
      return (isSearch ? searched : counted).countBefore({ record, filter, kinds, signal }, key);
    },

    findKey: async (record, id, signal) => {
      const found = await search(async (client, days) => ({ days, key: await findKey(client, record, id) }));
      return entries.newestKey(record, id, found, signal);
    },

    newestKeys: (record, filter, limit) => {
      const { kinds, isSearch } = planOf(filter);
      return isSearch
        ? search((client) => searchedKeys(client, record, kinds, { filter, page: { limit, offset: 0 } }))
        : read((client) => newestKeys(client, record, kinds, { filter, limit }));
    },
  };
}

/** Returns the kinds to read, and whether a search has to read entries to find the matches. */
function planOf(filter: LogFilter): { readonly kinds: Kinds; readonly isSearch: boolean } {
  const { kinds, isMixed } = wantedKinds(filter);
  return { kinds, isSearch: isMixed || filter.search !== null || filter.instanceId !== null };
}
