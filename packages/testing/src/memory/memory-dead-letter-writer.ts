import type { Clock, DeadLetterWriter } from '@plugin-config/domain';
import type { MemoryLogs } from './memory-log-state.ts';

/** Needs no locks, because batches run one after the other. */
export function memoryDeadLetterWriter(logs: MemoryLogs, clock: Clock): DeadLetterWriter {
  const { letters } = logs;
  return {
    lock: async (ids) => new Set(ids.filter((id) => letters.has(id))),

    add: async (added, most) => {
      for (const { identity, ...letter } of added) {
        if (letters.values().some((known) => known.identity === identity)) continue;
        const id = ++logs.lastLetter;
        letters.set(id, { letter: { id, ...letter }, identity, addedAt: clock.now() });
      }
      for (const id of [...letters.keys()].slice(0, -most)) letters.delete(id);
    },

    changeReasons: async (reasons) => {
      for (const [id, reason] of reasons) {
        const known = letters.get(id);
        if (known !== undefined) letters.set(id, { ...known, letter: { ...known.letter, reason } });
      }
    },

    remove: async (ids) => {
      for (const id of ids) letters.delete(id);
    },
  };
}
