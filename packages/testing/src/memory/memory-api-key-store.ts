import {
  couldMake,
  DomainError,
  invalidCredential,
  KEY_PAGE_MAX_PROJECTS,
  type ApiKey,
  type ApiKeyStore,
} from '@plugin-config/domain';
import { audit } from './memory-audit-log.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { StoredKey } from './memory-state.ts';
import { pageOf } from './page-of.ts';

export function memoryApiKeyStore(db: MemoryDatabase): ApiKeyStore {
  return {
    add: (key, author) =>
      db.change((state) => {
        const { keys, projects } = state;
        const { keyId } = author.actor;
        if (keyId !== null && keys.get(keyId)?.revokedAt !== null) throw invalidCredential();
        const missing = key.projectIds.find((id) => !projects.has(id));
        if (missing !== undefined) {
          throw new DomainError('does_not_exist', `There is no project ${missing}.`, { attr: 'project_ids' });
        }
        const stored: StoredKey = { ...key, id: keys.size + 1, lastUsedAt: null, revokedAt: null };
        keys.set(stored.id, stored);
        audit(state, author, 'key_issued', { type: 'key', id: stored.id, name: stored.label });
        return withoutHash(stored);
      }),

    find: async (id) => {
      const key = db.state.keys.get(id);
      return key === undefined ? null : withoutHash(key);
    },

    list: async (page, powers) =>
      pageOf(
        [...db.state.keys.values()]
          .filter((key) => powers === null || couldMake(powers, key))
          .map(withoutHash),
        page,
        ({ projectIds }) => projectIds.length,
        KEY_PAGE_MAX_PROJECTS,
      ),

    revoke: (id, powers, author) =>
      db.change((state) => {
        const key = state.keys.get(id);
        if (key === undefined || (powers !== null && !couldMake(powers, key))) return false;
        if (key.revokedAt === null) {
          state.keys.set(id, { ...key, revokedAt: author.at });
          audit(state, author, 'key_revoked', { type: 'key', id, name: key.label });
        }
        return true;
      }),

    touch: (uses) =>
      db.change(({ keys }) => {
        for (const [id, at] of uses) {
          const key = keys.get(id);
          if (key === undefined || (key.lastUsedAt ?? at) > at || (key.revokedAt ?? at) < at) continue;
          keys.set(id, { ...key, lastUsedAt: at });
        }
      }),
  };
}

function withoutHash(key: StoredKey): ApiKey {
  const { id, label, scopes, projectIds, createdAt, expiresAt, lastUsedAt, revokedAt } = key;
  return { id, label, scopes, projectIds, createdAt, expiresAt, lastUsedAt, revokedAt };
}
