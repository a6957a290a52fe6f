import { startOfDay, type LogEntry, type LogExport } from '@plugin-config/domain';
import { entryKey, type MemoryLogs } from './memory-log-state.ts';

const PORTION = 2;

export function memoryLogExport({ entries }: MemoryLogs): LogExport {
  const exported = new Set<string>();
  const remaining = (): readonly LogEntry[] =>
    [...entries.values()].filter((entry) => !exported.has(entryKey(entry)));
  const dayOf = ({ timestamp }: LogEntry): number => startOfDay(timestamp.getTime());
  return {
    unexportedDays: async () => {
      const days = [...new Set(remaining().map(dayOf))].toSorted((a, b) => b - a);
      const all = [...entries.values()];
      return days.map((day) => ({
        day: new Date(day),
        entries: all.filter((entry) => dayOf(entry) === day).length,
      }));
    },

    async *portions(day) {
      for (;;) {
        const portion = remaining()
          .filter((entry) => dayOf(entry) === day.getTime())
          .slice(0, PORTION);
        if (portion.length === 0) return;
        yield portion;
        for (const entry of portion) exported.add(entryKey(entry));
      }
    },
  };
}
