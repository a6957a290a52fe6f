import { DAY_MS, startOfDay, type LogUpkeep } from '@plugin-config/domain';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryLogs, MemoryLogState } from './memory-log-state.ts';

/** A day has room as soon as there is something on it, and is there to be dropped as soon as it was prepared. */
export function memoryLogUpkeep(db: MemoryDatabase, logs: MemoryLogs): LogUpkeep {
  const prepared = new Set<number>();
  return {
    prepare: (days) =>
      db.change(() => {
        for (const day of days) if (day.getTime() >= logs.state.earliest) prepared.add(day.getTime());
      }),

    dropBefore: (limit) =>
      db.change(() => {
        for (const time of timesIn(logs.state)) prepared.add(startOfDay(time));
        const over = [...prepared].filter((day) => day < limit.getTime()).toSorted((a, b) => a - b);
        for (const day of over) prepared.delete(day);
        const last = over.at(-1);
        if (last !== undefined) logs.state = without(logs.state, last + DAY_MS);
        return over.map((day) => new Date(day));
      }),
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
