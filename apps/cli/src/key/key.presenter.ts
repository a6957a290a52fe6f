import { isLive, type ApiKey } from '@plugin-config/domain';
import type { Columns } from '../table.ts';

export function presentKey(key: ApiKey, now: Date): object {
  return {
    id: key.id,
    account_id: key.accountId,
    label: key.label,
    scopes: key.scopes,
    projects: key.projectIds,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    state: keyState(key, now),
  };
}

export function keyColumns(now: Date): Columns<ApiKey> {
  return {
    ID: ({ id }) => id,
    ACCOUNT: ({ accountId }) => accountId,
    LABEL: ({ label }) => label,
    SCOPES: ({ scopes }) => scopes.join(','),
    PROJECTS: ({ projectIds }) => (projectIds.length === 0 ? 'all' : projectIds.join(',')),
    CREATED: ({ createdAt }) => createdAt,
    'LAST USED': ({ lastUsedAt }) => lastUsedAt,
    EXPIRES: ({ expiresAt }) => expiresAt,
    STATE: (key) => keyState(key, now),
  };
}

function keyState(key: ApiKey, now: Date): 'live' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked';
  return isLive(key, now) ? 'live' : 'expired';
}
