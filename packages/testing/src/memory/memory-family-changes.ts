import { isAfter, type FamilyChanges } from '@plugin-config/domain';
import { familyOf } from './family-changes.ts';
import { MEMORY_LINEAGE } from './memory-lineage.ts';
import type { MemoryDatabase } from './memory-database.ts';

export function memoryFamilyChanges(db: MemoryDatabase): FamilyChanges {
  return {
    revisions: async (families) => ({
      lineage: MEMORY_LINEAGE,
      revisions: families.map((family) => familyOf(db.state, family).revision),
    }),

    after: async ({ projectId, family }, cursor, limit) => {
      const { revision, orderRevision } = familyOf(db.state, { projectId, family });
      const changed = [...db.state.records.values()]
        .filter(({ record }) => record.projectId === projectId && record.family === family)
        .map(({ record: { id, version, deleted }, familyRevision }) => ({
          id,
          version,
          deleted,
          revision: familyRevision,
        }))
        .filter((record) => isAfter(record, cursor))
        .toSorted((a, b) => (isAfter(a, b) ? 1 : -1));
      return {
        lineage: MEMORY_LINEAGE,
        revision,
        orderRevision,
        records: changed.slice(0, limit),
        isComplete: changed.length <= limit,
      };
    },
  };
}
