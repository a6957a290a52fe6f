import {
  concealEdition,
  editionBytes,
  secretFields,
  type Edition,
  type EditionStore,
  type RecordRef,
} from '@plugin-config/domain';
import { editionsOf } from './editions.ts';
import type { MemoryDatabase } from './memory-database.ts';
import { pageOf } from './page-of.ts';
import { storedRecord } from './stored-records.ts';

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
  };
}
