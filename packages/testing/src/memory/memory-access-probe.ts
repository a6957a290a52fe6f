import { freshnessOf, type AccessProbe, type AccessQuestion } from '@plugin-config/domain';
import { familyOf } from './family-changes.ts';
import { MEMORY_LINEAGE } from './memory-lineage.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryState, StoredKey } from './memory-state.ts';
import { recordOf, registrationsOf } from './stored-records.ts';

export function memoryAccessProbe(db: MemoryDatabase): AccessProbe {
  return {
    recall: () => null,
    grants: async (keyIds) =>
      new Map(
        keyIds.flatMap((id) =>
          [...db.state.keys.values()]
            .filter((key) => key.id === id)
            .map((key) => [id, grantOf(key)] as const),
        ),
      ),
    ask: async (question) => {
      const { state } = db;
      const { family, recordId: id } = question;
      const key = [...state.keys.values()].find(({ hash }) => hash === question.keyHash);
      const projectId = projectOf(state, question, key);
      const ref = projectId === null || family === null ? null : { projectId, family };
      const revision = ref === null ? 0 : familyOf(state, ref).revision;
      return {
        key: key === undefined ? null : grantOf(key),
        projectId,
        revision,
        lineage: MEMORY_LINEAGE,
        freshness: freshnessOf({ generation: 0, revision, registrations: registrationsOf(state) }),
        record: ref === null || id === null ? null : recordOf(state, { ...ref, id }),
      };
    },
  };
}

function projectOf(
  { projects }: MemoryState,
  { project }: AccessQuestion,
  key: StoredKey | undefined,
): number | null {
  if (project !== 'current') return project !== null && projects.has(project) ? project : null;
  if (key === undefined) return null;
  const visible = key.projectIds.length === 0 ? [...projects.keys()] : key.projectIds;
  return visible.length === 0 ? null : Math.min(...visible);
}

function grantOf({ id, label, scopes, projectIds, expiresAt, revokedAt }: StoredKey) {
  return { id, label, scopes, projectIds, expiresAt, revokedAt };
}
