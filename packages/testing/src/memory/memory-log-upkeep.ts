import { DAY_MS, acceptedTimes, startOfDay, type Clock, type LogUpkeep } from '@plugin-config/domain';
import type { MemoryLogs } from './memory-log-state.ts';

/** Needs no partitions: a day exists as soon as it has an entry. */
export function memoryLogUpkeep(logs: MemoryLogs, clock: Clock): LogUpkeep {
  const overdueDays = (retentionDays: number): readonly Date[] => {
    const { earliest } = acceptedTimes(clock.now(), retentionDays);
    const days = new Set(timesIn(logs).map(startOfDay));
    return [...days]
      .filter((day) => day < earliest)
      .toSorted((a, b) => a - b)
      .map((day) => new Date(day));
  };
  return {
    dropOverdue: (retentionDays) =>
      logs.alone(() => {
        const days = overdueDays(retentionDays);
        const last = days.at(-1);
        if (last !== undefined) dropBefore(logs, last.getTime() + DAY_MS);
        return days;
      }),

    overdue: async (retentionDays) => overdueDays(retentionDays),

    earliestKept: async () => logs.earliestKept,
  };
}

function timesIn({ entries, deliveries }: MemoryLogs): readonly number[] {
  return [
    ...[...entries.values()].map(({ timestamp }) => timestamp.getTime()),
    ...[...deliveries.values()].map(({ timestamp }) => timestamp),
  ];
}

function dropBefore(logs: MemoryLogs, moment: number): void {
  const { entries, deliveries } = logs;
  logs.earliestKept = Math.max(logs.earliestKept, moment);
  for (const [key, { timestamp }] of entries) if (timestamp.getTime() < moment) entries.delete(key);
  for (const [key, { timestamp }] of deliveries) if (timestamp < moment) deliveries.delete(key);
}
