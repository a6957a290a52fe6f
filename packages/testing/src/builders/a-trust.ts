import type { NewTrust } from '@plugin-config/domain';
import { aKeyHash } from './an-api-key.ts';
import { MOMENT } from './an-author.ts';

let hashes = 0;

/** A trust for all projects. Each has another hash. */
export function aTrust(fields: Partial<NewTrust> = {}): NewTrust {
  return {
    name: 'Deploy from main',
    issuer: 'https://token.actions.githubusercontent.com',
    audience: 'https://plugins.example.com',
    claims: { repository_id: ['123456789'], environment: ['production'] },
    maxMinutes: 15,
    scopes: ['plugin:write'],
    projectIds: [],
    accountId: null,
    createdAt: MOMENT,
    expiresAt: null,
    hash: aKeyHash(1_000_000 + hashes++),
    ...fields,
  };
}
