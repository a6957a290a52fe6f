import {
  concealEdition,
  editionBytes,
  secretFields,
  type ConfigRecord,
  type Edition,
  type EditionStore,
  type Once,
  type RecordRef,
  type RestoredRecord,
} from '@plugin-config/domain';
import { editionsOf } from './editions.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryState } from './memory-state.ts';
import { onceIn } from './once-in.ts';
import { pageOf } from './page-of.ts';
import { saveIn, stillHolds } from './save-in.ts';
import { asConfiguredNow, recordOf, storedRecord } from './stored-records.ts';

export function memoryEditionStore(db: MemoryDatabase): EditionStore {
  const newestFirst = (ref: RecordRef): readonly Edition[] => {
    const stored = storedRecord(db.state, ref);
    if (stored === null) return [];
    const plugin = db.state.plugins.get(stored.record.plugin)?.plugin ?? {};
    const secret = new Set([...secretFields(plugin), ...stored.secrets.keys()]);
    return editionsOf(db.state, stored)
      .map((edition) => concealEdition(edition, secret))
      .toReversed();
  };
  return {
    page: async (ref, page) => pageOf(newestFirst(ref), page, editionBytes),
    find: async (ref, number) => newestFirst(ref).find((edition) => edition.number === number) ?? null,
    kept: async (_ref, { name }) => keptIn(db.state, name),
    restoreOnce: ({ before, write, missing, key, author: { actor } }) =>
      db.change((state) => {
        const kept = keptIn(state, key.name);
        if (kept !== null) return kept;
        const record = write === null ? unchangedIn(state, before) : saveIn(state, write);
        if (record === null) return null;
        return onceIn(state, { family: before, actor, key, now: db.now }, () => ({ record, missing }));
      }),
  };
}

function unchangedIn(state: MemoryState, before: ConfigRecord): ConfigRecord | null {
  const record = recordOf(state, before);
  return record !== null && stillHolds(state, record, { before, after: before }) ? record : null;
}

function keptIn(state: MemoryState, name: string): Once<RestoredRecord> | null {
  const outcome = state.answers.get(name)?.outcome as Omit<Once<RestoredRecord>, 'isFirst'> | undefined;
  if (outcome === undefined) return null;
  const { record, missing } = outcome.value;
  return { ...outcome, value: { record: asConfiguredNow(state, record), missing }, isFirst: false };
}
