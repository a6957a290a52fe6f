import {
  isStorable,
  utf8Length,
  type LogEntry,
  type LogEntryStore,
  type LogFilter,
} from '@plugin-config/domain';
import type { MemoryDatabase } from './memory-database.ts';
import { entryKey, type MemoryLogs } from './memory-log-state.ts';
import { pageOf } from './page-of.ts';

export function memoryLogEntryStore(db: MemoryDatabase, logs: MemoryLogs): LogEntryStore {
  return {
    append: (given) =>
      db.change(() => {
        const kept = given.filter(({ timestamp }) => timestamp.getTime() >= logs.state.earliest);
        const entries = new Map(logs.state.entries);
        for (const entry of kept) if (!entries.has(entryKey(entry))) entries.set(entryKey(entry), entry);
        const stored = entries.size - logs.state.entries.size;
        logs.state = { ...logs.state, entries };
        return { stored, duplicates: kept.length - stored };
      }),

    page: async ({ projectId, id }, filter, page) => {
      const own = [...logs.state.entries.values()].filter(
        (entry) => entry.recordId === id && entry.projectId === projectId,
      );
      const fitting = own.filter((entry) => fits(entry, filter)).toSorted(newestFirst);
      return pageOf(fitting, page, ({ message }) => utf8Length(message));
    },
  };
}

function fits(entry: LogEntry, { types, source, instanceId, after, before, search }: LogFilter): boolean {
  return (
    (types.length === 0 || types.includes(entry.type)) &&
    (source === null || entry.source === source) &&
    (instanceId === null || entry.instanceId === instanceId) &&
    (after === null || entry.timestamp > after) &&
    (before === null || entry.timestamp < before) &&
    (search === null || (isStorable(search) && entry.message.toLowerCase().includes(search.toLowerCase())))
  );
}

function newestFirst(a: LogEntry, b: LogEntry): number {
  return b.timestamp.getTime() - a.timestamp.getTime() || (a.id < b.id ? 1 : -1);
}
