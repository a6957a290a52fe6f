import {
  concealHistory,
  notBefore,
  projectNotFound,
  type FamilyRef,
  type NewActivity,
  type RecordRef,
} from '@plugin-config/domain';
import { familyKey, type MemoryState, type StoredFamily } from './memory-state.ts';

const EMPTY: StoredFamily = { revision: 0, version: 0 };

export function familyOf(state: MemoryState, ref: FamilyRef): StoredFamily {
  return state.families.get(familyKey(ref)) ?? EMPTY;
}

/** Marks that answers about the family may have changed. */
export function raiseRevision(state: MemoryState, ref: FamilyRef): void {
  const { revision, version } = existing(state, ref);
  state.families.set(familyKey(ref), { revision: revision + 1, version });
}

/** Marks that a record of the family has changed. */
export function raiseVersion(state: MemoryState, ref: FamilyRef): void {
  const { revision, version } = existing(state, ref);
  state.families.set(familyKey(ref), { revision: revision + 1, version: version + 1 });
}

export function remember(
  state: MemoryState,
  { id: recordId }: Pick<RecordRef, 'id'>,
  activity: NewActivity,
): void {
  const id = Math.max(0, ...state.activity.keys()) + 1;
  const last = [...state.activity.values()].findLast((told) => told.recordId === recordId);
  const author = last === undefined ? activity : notBefore(activity, last.entry.at);
  state.activity.set(id, { recordId, entry: { id, ...activity, at: author.at } });
}

/** Masks the values of the given keys in the activity of the record. */
export function concealPast(state: MemoryState, id: number, secretKeys: Iterable<string>): void {
  const keys = new Set(secretKeys);
  for (const [entryId, { recordId, entry }] of state.activity) {
    if (recordId === id) state.activity.set(entryId, { recordId, entry: concealHistory(entry, keys) });
  }
}

function existing(state: MemoryState, ref: FamilyRef): StoredFamily {
  const family = state.families.get(familyKey(ref));
  if (family === undefined) throw projectNotFound();
  return family;
}
