import type { LogOutbox } from '@plugin-config/domain';
import type { MemoryDatabase } from './memory-database.ts';
import type { StoredLine } from './memory-state.ts';

/** Number of lines of one project in a portion. */
const LINES = 100;
const LEASE_MS = 30_000;

export function memoryLogOutbox(db: MemoryDatabase): LogOutbox {
  return {
    take: () =>
      db.change(({ outbox }) => {
        const due = [...outbox.values()].filter(({ dueAt }) => dueAt <= db.now).toSorted(oldestFirst);
        const byProject = Map.groupBy(due, ({ entry }) => entry.projectId);
        const taken = [...byProject.values()].flatMap((own) => own.slice(0, LINES));
        const dueAt = new Date(db.now.getTime() + LEASE_MS);
        for (const { entry } of taken) outbox.set(entry.id, { entry, dueAt });
        return taken.map(({ entry }) => entry);
      }),

    remove: (lines) =>
      db.change(({ outbox }) => {
        for (const { id } of lines) outbox.delete(id);
      }),
  };
}

function oldestFirst(a: StoredLine, b: StoredLine): number {
  return a.dueAt.getTime() - b.dueAt.getTime() || (a.entry.id < b.entry.id ? -1 : 1);
}
