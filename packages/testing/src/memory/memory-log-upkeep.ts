import { DAY_MS, logSpan, startOfDay, type Clock, type LogUpkeep } from '@plugin-config/domain';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryLogs, MemoryLogState } from './memory-log-state.ts';

/** A day is there as soon as there is something on it. */
export function memoryLogUpkeep(db: MemoryDatabase, logs: MemoryLogs, clock: Clock): LogUpkeep {
  const over = (retentionDays: number): readonly Date[] => {
    const { earliest } = logSpan(clock.now(), retentionDays);
    const days = new Set(timesIn(logs.state).map(startOfDay));
    return [...days]
      .filter((day) => day < earliest)
      .toSorted((a, b) => a - b)
      .map((day) => new Date(day));
  };
  return {
    dropOver: (retentionDays) =>
      db.change(() => {
        const days = over(retentionDays);
        const last = days.at(-1);
        if (last !== undefined) logs.state = without(logs.state, last.getTime() + DAY_MS);
        return days;
      }),

    overdue: async (retentionDays) => over(retentionDays),
  };
}

function timesIn({ entries, deliveries }: MemoryLogState): readonly number[] {
  return [
    ...[...entries.values()].map(({ timestamp }) => timestamp.getTime()),
    ...[...deliveries.values()].map(({ timestamp }) => timestamp),
  ];
}

function without(state: MemoryLogState, earliest: number): MemoryLogState {
  return {
    ...state,
    earliest: Math.max(state.earliest, earliest),
    entries: new Map([...state.entries].filter(([, { timestamp }]) => timestamp.getTime() >= earliest)),
    deliveries: new Map([...state.deliveries].filter(([, { timestamp }]) => timestamp >= earliest)),
  };
}
