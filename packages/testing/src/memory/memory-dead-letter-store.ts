import {
  acceptedTimes,
  type Clock,
  type DeadLetter,
  type DeadLetterBounds,
  type DeadLetterStore,
} from '@plugin-config/domain';
import type { MemoryLogs, StoredLetter } from './memory-log-state.ts';

export function memoryDeadLetterStore(logs: MemoryLogs, clock: Clock): DeadLetterStore {
  const stored = (): readonly StoredLetter[] =>
    [...logs.letters.values()].toSorted((a, b) => a.letter.id - b.letter.id);
  const all = (): readonly DeadLetter[] => stored().map(({ letter }) => letter);
  const keep = (isKept: (letter: StoredLetter) => boolean): number => {
    const dropped = stored().filter((letter) => !isKept(letter));
    for (const { letter } of dropped) logs.letters.delete(letter.id);
    return dropped.length;
  };
  return {
    count: async () => logs.letters.size,
    list: async ({ after, limit }) =>
      all()
        .filter(({ id }) => id > after)
        .slice(0, limit),
    find: async (ids) => all().filter(({ id }) => ids.includes(id)),
    drop: (ids) => logs.alone(() => keep(({ letter }) => !ids.includes(letter.id))),
    dropAll: () => logs.alone(() => keep(() => false)),
    trim: (bounds) =>
      logs.alone(() => {
        const { earliest } = acceptedTimes(clock.now(), bounds.retentionDays);
        const tooOld = keep(({ addedAt }) => addedAt.getTime() >= earliest);
        const within = new Set(newestWithin(stored(), bounds));
        return { tooOld, tooMany: keep((letter) => within.has(letter)) };
      }),
  };
}

function newestWithin(
  stored: readonly StoredLetter[],
  { letters, bytes }: DeadLetterBounds,
): readonly StoredLetter[] {
  let sum = 0;
  const newest = stored.toReversed().slice(0, letters);
  const beyond = newest.findIndex(({ letter }) => (sum += utf8Bytes(letter.text)) > bytes);
  return beyond === -1 ? newest : newest.slice(0, beyond);
}

function utf8Bytes(text: string): number {
  return encodeURIComponent(text).replaceAll(/%../g, '_').length;
}
