import {
  describeMove,
  notBefore,
  REARRANGE_MAX,
  notFound,
  type Author,
  type FamilyRef,
  type LockedFamily,
  type RecordPosition,
} from '@plugin-config/domain';
import { familyOf, raiseOrder, addActivity } from './family-changes.ts';
import type { MemoryState } from './memory-state.ts';
import { liveOf, storedRecord } from './stored-records.ts';

export function lockedFamily(state: MemoryState, family: FamilyRef): LockedFamily {
  const { listVersion } = familyOf(state, family);
  const live = liveOf(state, family)
    .slice(0, REARRANGE_MAX + 1)
    .map(({ id, order, plugin, enabled, name, description }) => ({
      id,
      order,
      plugin,
      enabled,
      name,
      description,
    }));
  return {
    listVersion,
    live,
    move: async (positions, author) => {
      for (const position of positions) move(state, family, position, author);
      if (positions.length > 0)
        raiseOrder(
          state,
          family,
          positions.map(({ id }) => id),
        );
    },
    record: async (id) => liveOf(state, family).find((record) => record.id === id) ?? null,
  };
}

function move(
  state: MemoryState,
  { projectId, family }: FamilyRef,
  { id, order }: RecordPosition,
  author: Author,
): void {
  const stored = storedRecord(state, { projectId, family, id });
  if (stored === null) throw notFound();
  const { record } = stored;
  const updatedAt = notBefore(author, record.updatedAt).at;
  const moved = { ...record, order, updatedAt, version: record.version + 1 };
  state.records.set(id, { ...stored, record: moved });
  addActivity(state, record, describeMove(record.order, order, author));
}
