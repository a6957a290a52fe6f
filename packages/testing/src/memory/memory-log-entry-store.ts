import {
  matchesFilter,
  utf8Length,
  type AppendOutcomes,
  type EntryKey,
  type LogEntry,
  type LogEntryStore,
  type LogFilter,
  type LogRef,
} from '@plugin-config/domain';
import { checkStorable } from './check-storable.ts';
import { memoryArrivalWriter } from './memory-log-arrivals.ts';
import { entryKey, type MemoryLogs } from './memory-log-state.ts';
import { pageOf } from './page-of.ts';

/** Stores the entries that are not stored yet. */
export function storeEntries(logs: MemoryLogs, entries: readonly LogEntry[]): AppendOutcomes {
  for (const { message } of entries) checkStorable(message);
  return entries.map((entry) => {
    if (entry.timestamp.getTime() < logs.earliestKept) return 'too_old';
    if (logs.entries.has(entryKey(entry))) return 'duplicate';
    logs.entries.set(entryKey(entry), entry);
    return 'stored';
  });
}

export function memoryLogEntryStore(logs: MemoryLogs): LogEntryStore {
  const { entries } = logs;
  const matching = ({ projectId, id }: LogRef, filter: LogFilter): readonly LogEntry[] =>
    [...entries.values()]
      .filter((entry) => entry.recordId === id && entry.projectId === projectId)
      .filter((entry) => matchesFilter(entry, filter))
      .toSorted(newestFirst);
  return {
    append: async (added) => {
      const outcomes = storeEntries(logs, added);
      await memoryArrivalWriter(logs).add(added, outcomes);
      return outcomes;
    },

    page: async (record, filter, page) =>
      pageOf(matching(record, filter), page, ({ message }) => utf8Length(message)),

    newestKeys: async (record, filter, limit) =>
      matching(record, filter)
        .slice(0, limit)
        .map(({ timestamp, id }) => ({ timestamp, id })),

    countBefore: async (record, filter, key) =>
      matching(record, filter).filter((entry) => newestFirst(entry, key) < 0).length,

    findKey: async ({ projectId, id: recordId }, id) => {
      const found = [...entries.values()]
        .filter((entry) => entry.projectId === projectId && entry.recordId === recordId && entry.id === id)
        .toSorted(newestFirst)[0];
      return found === undefined ? null : { timestamp: found.timestamp, id };
    },

    find: async ({ projectId, id: recordId }, keys, maxBytes) => {
      const found = keys
        .flatMap((key) => entries.get(entryKey({ ...key, recordId })) ?? [])
        .filter((entry) => entry.projectId === projectId);
      let bytes = 0;
      const tooMany = found.findIndex(
        ({ message }, at) => (bytes += utf8Length(message)) > maxBytes && at > 0,
      );
      return tooMany === -1 ? found : found.slice(0, tooMany);
    },
  };
}

function newestFirst(a: EntryKey, b: EntryKey): number {
  return b.timestamp.getTime() - a.timestamp.getTime() || (a.id < b.id ? 1 : a.id === b.id ? 0 : -1);
}
