import {
  concealHistory,
  notBefore,
  projectNotFound,
  type FamilyRef,
  type NewActivity,
  type RecordRef,
} from '@plugin-config/domain';
import { familyKey, type MemoryState, type StoredFamily } from './memory-state.ts';

const EMPTY: StoredFamily = { revision: 0, listVersion: 0, orderRevision: 0 };

export function familyOf(state: MemoryState, ref: FamilyRef): StoredFamily {
  return state.families.get(familyKey(ref)) ?? EMPTY;
}

/** Marks that answers about the family may have changed, with those of these records. */
export function raiseRevision(state: MemoryState, ref: FamilyRef, changed: readonly number[] = []): void {
  const family = existing(state, ref);
  raise(state, ref, { ...family, revision: family.revision + 1 }, changed);
}

/** Marks that records of the family have changed. */
export function raiseVersion(state: MemoryState, ref: FamilyRef, changed: readonly number[]): void {
  const family = existing(state, ref);
  raise(
    state,
    ref,
    { ...family, revision: family.revision + 1, listVersion: family.listVersion + 1 },
    changed,
  );
}

/** Marks that records of the family have moved. */
export function raiseOrder(state: MemoryState, ref: FamilyRef, moved: readonly number[]): void {
  raiseVersion(state, ref, moved);
  const family = existing(state, ref);
  raise(state, ref, { ...family, orderRevision: family.revision }, []);
}

/** Marks that the answers of these records have changed. Raises each family once. */
export function raiseRevisions(state: MemoryState, changed: readonly RecordRef[]): void {
  for (const [first, ...others] of Map.groupBy(changed, familyKey).values()) {
    if (first !== undefined)
      raiseRevision(
        state,
        first,
        [first, ...others].map(({ id }) => id),
      );
  }
}

function raise(state: MemoryState, ref: FamilyRef, family: StoredFamily, changed: readonly number[]): void {
  state.families.set(familyKey(ref), family);
  for (const id of changed) {
    const stored = state.records.get(id);
    if (stored !== undefined) state.records.set(id, { ...stored, familyRevision: family.revision });
  }
}

export function addActivity(
  state: MemoryState,
  { id: recordId }: Pick<RecordRef, 'id'>,
  activity: NewActivity,
): void {
  const id = Math.max(0, ...state.activity.keys()) + 1;
  const last = [...state.activity.values()].findLast((stored) => stored.recordId === recordId);
  const author = last === undefined ? activity : notBefore(activity, last.entry.at);
  state.activity.set(id, { recordId, entry: { id, ...activity, at: author.at } });
}

/** Masks the values of these keys in the activity of the record. */
export function concealActivity(state: MemoryState, id: number, secretFields: Iterable<string>): void {
  const keys = new Set(secretFields);
  for (const [entryId, { recordId, entry }] of state.activity) {
    if (recordId === id) state.activity.set(entryId, { recordId, entry: concealHistory(entry, keys) });
  }
}

function existing(state: MemoryState, ref: FamilyRef): StoredFamily {
  const family = state.families.get(familyKey(ref));
  if (family === undefined) throw projectNotFound();
  return family;
}
