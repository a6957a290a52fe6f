import { utf8Length, type ActivityLog } from '@plugin-config/domain';
import type { MemoryDatabase } from './memory-database.ts';
import { pageOf } from './page-of.ts';
import { storedRecord } from './stored-records.ts';

export function memoryActivityLog(db: MemoryDatabase): ActivityLog {
  return {
    page: async (ref, page) => {
      const stored = storedRecord(db.state, ref) === null ? [] : [...db.state.activity.values()];
      const entries = stored.filter(({ recordId }) => recordId === ref.id).map(({ entry }) => entry);
      return pageOf(entries.toReversed(), page, ({ changes }) => utf8Length(JSON.stringify(changes)));
    },
  };
}
