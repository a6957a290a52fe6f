import { DomainError, type ApiKey, type ApiKeyStore } from '@plugin-config/domain';
import type { MemoryDatabase } from './memory-database.ts';
import type { StoredKey } from './memory-state.ts';

export function memoryApiKeyStore(db: MemoryDatabase): ApiKeyStore {
  return {
    add: (key) =>
      db.change(({ keys, projects }) => {
        const missing = key.projectIds.find((id) => !projects.has(id));
        if (missing !== undefined) {
          throw new DomainError('does_not_exist', `There is no project ${missing}.`, { attr: 'project' });
        }
        const stored: StoredKey = { ...key, id: keys.size + 1, lastUsedAt: null, revokedAt: null };
        keys.set(stored.id, stored);
        return withoutHash(stored);
      }),

    list: async () => [...db.state.keys.values()].map(withoutHash),

    revoke: (id, at) =>
      db.change(({ keys }) => {
        const key = keys.get(id);
        if (key !== undefined) keys.set(id, { ...key, revokedAt: key.revokedAt ?? at });
        return key !== undefined;
      }),

    touch: (uses) =>
      db.change(({ keys }) => {
        for (const [id, at] of uses) {
          const key = keys.get(id);
          if (key !== undefined && (key.lastUsedAt ?? at) <= at) keys.set(id, { ...key, lastUsedAt: at });
        }
      }),
  };
}

function withoutHash(key: StoredKey): ApiKey {
  const { id, label, scopes, projectIds, createdAt, expiresAt, lastUsedAt, revokedAt } = key;
  return { id, label, scopes, projectIds, createdAt, expiresAt, lastUsedAt, revokedAt };
}
