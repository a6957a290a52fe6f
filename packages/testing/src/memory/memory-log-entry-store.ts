import {
  isStorable,
  utf8Length,
  type LogEntry,
  type LogEntryStore,
  type LogFilter,
} from '@plugin-config/domain';
import { checkStorable } from './check-storable.ts';
import { entryKey, type MemoryLogs } from './memory-log-state.ts';
import { pageOf } from './page-of.ts';

export function memoryLogEntryStore(logs: MemoryLogs): LogEntryStore {
  const { entries } = logs;
  return {
    append: async (given) => {
      for (const { message } of given) checkStorable(message);
      return given.map((entry) => {
        if (entry.timestamp.getTime() < logs.earliestKept) return 'too_old';
        if (entries.has(entryKey(entry))) return 'duplicate';
        entries.set(entryKey(entry), entry);
        return 'stored';
      });
    },

    page: async ({ projectId, id }, filter, page) => {
      const own = [...entries.values()].filter(
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
