import { hash, timingSafeEqual } from 'node:crypto';
import type { KeyGrant, Scope, TokenHasher } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';

const PROJECTS = `(
    select string_agg(b.project_id::text, ',' order by b.project_id) from api_key_project b where b.key_id = k.id
  ) as projects`;

/** Hashes once and without salt, which is enough for tokens with 256 random bits. */
export function sha256TokenHasher(): TokenHasher {
  return { hash: (token) => hash('sha256', token, 'hex') };
}

/** The columns of a key `k`. */
export const KEY = columns((row) => ({
  hash: row.text('k.hash'),
  grant: {
    id: row.number('k.id'),
    accountId: row.number('coalesce(k.account_id, k.id) as account_id'),
    label: row.text('k.label'),
    scopes: row.text(`array_to_string(k.scopes, ',') as scopes`).split(',') as Scope[],
    projectIds: row.textOrNull(PROJECTS)?.split(',').map(Number) ?? [],
    expiresAt: row.dateOrNull('k.expires_at'),
    revokedAt: row.dateOrNull('k.revoked_at'),
  },
}));

export type Key = ReturnType<typeof KEY.read>;

/** Returns the grant of the key if the hashes match. */
export function grantOf(key: Key | null | undefined, keyHash: string): KeyGrant | null {
  return key != null && isSameHash(keyHash, key.hash) ? key.grant : null;
}

function isSameHash(given: string, stored: string): boolean {
  return given.length === stored.length && timingSafeEqual(Buffer.from(given), Buffer.from(stored));
}
