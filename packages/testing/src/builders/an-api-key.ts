import type { NewApiKey } from '@plugin-config/domain';
import { MOMENT } from './an-author.ts';

/** Creates a hash with the length of SHA-256 in hexadecimal digits. */
export function aKeyHash(n: number): string {
  return n.toString(16).padStart(64, '0');
}

export function anApiKey(given: Partial<NewApiKey> = {}): NewApiKey {
  return {
    accountId: null,
    label: 'Key',
    scopes: ['plugin:read'],
    projectIds: [],
    createdAt: MOMENT,
    expiresAt: null,
    hash: aKeyHash(1),
    ...given,
  };
}
