import type { KeyGrant } from './api-key.ts';

export function aKeyGrant(given: Partial<KeyGrant> = {}): KeyGrant {
  return {
    id: 7,
    accountId: 7,
    label: 'Key',
    scopes: ['plugin:read'],
    projectIds: [],
    pluginIds: [],
    expiresAt: null,
    revokedAt: null,
    ...given,
  };
}
