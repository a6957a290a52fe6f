import { timingSafeEqual } from 'node:crypto';
import type { KeyGrant, Scope } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';

const PROJECTS = `(
    select string_agg(b.project_id::text, ',' order by b.project_id) from api_key_project b where b.key_id = k.id
  ) as projects`;

/** The columns of a key `k`. */
export const KEY = columns((row) => ({
  hash: row.text('k.hash'),
  grant: {
    id: row.number('k.id'),
    label: row.text('k.label'),
    scopes: row.text(`array_to_string(k.scopes, ',') as scopes`).split(',') as Scope[],
    projectIds: row.textOrNull(PROJECTS)?.split(',').map(Number) ?? [],
    expiresAt: row.dateOrNull('k.expires_at'),
    revokedAt: row.dateOrNull('k.revoked_at'),
  },
}));

export type Key = ReturnType<typeof KEY.read>;

/** The grant of the key, if the caller knows its hash. */
export function grantOf(key: Key | null | undefined, hash: string): KeyGrant | null {
  return key != null && isSame(hash, key.hash) ? key.grant : null;
}

function isSame(hash: string, found: string): boolean {
  return hash.length === found.length && timingSafeEqual(Buffer.from(hash), Buffer.from(found));
}
