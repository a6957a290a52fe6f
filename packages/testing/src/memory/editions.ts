import { concealEdition, type Edition, type RecordWrite } from '@plugin-config/domain';
import type { MemoryState, StoredRecord } from './memory-state.ts';

/** The editions of a record, the oldest first. */
export function editionsOf({ editions }: MemoryState, { record, edition }: StoredRecord): readonly Edition[] {
  const { id, name, description, config } = record;
  return [...(editions.get(id) ?? []), { ...edition, name, description, config }];
}

/** Keeps the present edition of a record if the write ends it. Returns the author of the edition after the write. */
export function keepEdition(
  state: MemoryState,
  stored: StoredRecord,
  { activity, ended }: RecordWrite,
): StoredRecord['edition'] {
  if (ended === undefined) return stored.edition;
  const kept = editionsOf(state, stored).map((edition) =>
    edition.number === stored.edition.number
      ? { ...edition, config: ended.config ?? edition.config }
      : edition,
  );
  state.editions.set(stored.record.id, kept);
  const { actor, requestId } = activity;
  return { number: stored.edition.number + 1, actor, requestId, at: activity.at };
}

/** Masks the values of these keys in the earlier editions of the record. */
export function concealEditions({ editions }: MemoryState, id: number, secretFields: Iterable<string>): void {
  const keys = new Set(secretFields);
  const kept = editions.get(id);
  if (kept !== undefined) {
    editions.set(
      id,
      kept.map((edition) => concealEdition(edition, keys)),
    );
  }
}
