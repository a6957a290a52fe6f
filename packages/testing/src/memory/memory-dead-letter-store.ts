import type { DeadLetter, DeadLetterStore } from '@plugin-config/domain';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryLogs } from './memory-log-state.ts';

export function memoryDeadLetterStore(db: MemoryDatabase, logs: MemoryLogs): DeadLetterStore {
  const all = (): readonly DeadLetter[] => [...logs.state.letters.values()].toSorted((a, b) => a.id - b.id);
  const keep = (isKept: (letter: DeadLetter) => boolean): Promise<number> =>
    db.change(() => {
      const before = all();
      const kept = before.filter(isKept);
      logs.state = { ...logs.state, letters: new Map(kept.map((letter) => [letter.id, letter])) };
      return before.length - kept.length;
    });
  return {
    count: async () => logs.state.letters.size,
    list: async ({ after, limit }) =>
      all()
        .filter(({ id }) => id > after)
        .slice(0, limit),
    find: async (ids) => all().filter(({ id }) => ids.includes(id)),
    drop: (ids) => keep(({ id }) => !ids.includes(id)),
    dropAll: () => keep(() => false),
  };
}
