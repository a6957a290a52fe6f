import { isAfter, type FamilyFeed } from '@plugin-config/domain';
import { familyOf } from './family-changes.ts';
import type { MemoryDatabase } from './memory-database.ts';

export function memoryFamilyFeed(db: MemoryDatabase): FamilyFeed {
  return {
    revisions: async (families) => families.map((family) => familyOf(db.state, family).revision),

    changes: async ({ projectId, family }, after, limit) => {
      const { revision, orderRevision } = familyOf(db.state, { projectId, family });
      const changed = [...db.state.records.values()]
        .filter(({ record }) => record.projectId === projectId && record.family === family)
        .map(({ record: { id, version, deleted }, familyRevision }) => ({
          id,
          version,
          deleted,
          revision: familyRevision,
        }))
        .filter((record) => isAfter(record, after))
        .toSorted((a, b) => (isAfter(a, b) ? 1 : -1));
      return {
        revision,
        orderRevision,
        records: changed.slice(0, limit),
        isComplete: changed.length <= limit,
      };
    },
  };
}
