import type { RunPorts } from '../run-ports.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryState } from './memory-state.ts';

export function memoryRetention(db: MemoryDatabase): RunPorts['retention'] {
  return {
    finishedJobs: (ageMs) =>
      portions(db, ({ jobs }) =>
        dropFrom(jobs, ({ job }) => isOld(db, job.finishedAt ?? db.now, ageMs) && job.finishedAt !== null),
      ),
    activity: (ageMs) =>
      portions(db, ({ activity }) => dropFrom(activity, ({ entry }) => isOld(db, entry.at, ageMs))),
    keptAnswers: (ageMs) =>
      portions(db, ({ answers }) => dropFrom(answers, ({ at }) => isOld(db, at, ageMs))),
    editions: (kept) => portions(db, (state) => dropEditions(state, kept)),
  };
}

/** Deletes everything in one portion, because nobody waits for a lock in memory. */
async function* portions(db: MemoryDatabase, drop: (state: MemoryState) => number): AsyncGenerator<number> {
  const dropped = await db.change(drop);
  if (dropped > 0) yield dropped;
}

function dropFrom<Key, Value>(map: Map<Key, Value>, isOver: (value: Value) => boolean): number {
  const over = [...map].filter(([, value]) => isOver(value));
  for (const [key] of over) map.delete(key);
  return over.length;
}

function dropEditions({ editions, records }: MemoryState, kept: number): number {
  let dropped = 0;
  for (const [id, all] of editions) {
    const newest = records.get(id)?.edition.number ?? 0;
    const left = all.filter(({ number }) => number > newest - kept);
    dropped += all.length - left.length;
    editions.set(id, left);
  }
  return dropped;
}

function isOld({ now }: MemoryDatabase, at: Date, ageMs: number): boolean {
  return now.getTime() - at.getTime() >= ageMs;
}
