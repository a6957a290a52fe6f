import {
  utf8Length,
  type ActivityEntry,
  type ActivityFilter,
  type ActivityLog,
  type FamilyRef,
} from '@plugin-config/domain';
import type { MemoryDatabase } from './memory-database.ts';
import type { StoredActivity } from './memory-state.ts';
import { pageOf } from './page-of.ts';
import { storedRecord } from './stored-records.ts';

export function memoryActivityLog(db: MemoryDatabase): ActivityLog {
  /** Newest first. */
  const entriesOf = (family: FamilyRef): readonly StoredActivity[] =>
    [...db.state.activity.values()]
      .filter(({ recordId: id }) => storedRecord(db.state, { ...family, id }) !== null)
      .toReversed();
  return {
    page: async ({ id, ...family }, page) => {
      const own = entriesOf(family).filter(({ recordId }) => recordId === id);
      return pageOf(
        own.map(({ entry }) => entry),
        page,
        bytesOf,
      );
    },
    familyPage: async (family, filter, page) => {
      const matching = entriesOf(family).filter((stored) => matches(stored, filter));
      return pageOf(
        matching.map(({ recordId, entry }) => ({ ...entry, recordId })),
        page,
        bytesOf,
      );
    },
  };
}

function matches(
  { recordId, entry: { activity, actor, at } }: StoredActivity,
  filter: ActivityFilter,
): boolean {
  return (
    (filter.recordId === null || recordId === filter.recordId) &&
    (filter.activity === null || activity === filter.activity) &&
    (filter.actor === null || actor.keyId === filter.actor.keyId) &&
    (filter.after === null || at > filter.after) &&
    (filter.before === null || at < filter.before)
  );
}

function bytesOf({ changes }: ActivityEntry): number {
  return utf8Length(JSON.stringify(changes));
}
