import { timingSafeEqual } from 'node:crypto';
import type { KeyGrant, Scope } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';

const PROJECTS = `(
    select string_agg(b.project_id::text, ',' order by b.project_id) from api_key_project b where b.key_id = k.id
  ) as projects`;

/** What is known of a key `k`. */
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

/** What the key grants to whoever knows this hash. */
export function grantOf(key: Key | null | undefined, asked: string): KeyGrant | null {
  return key != null && isSame(asked, key.hash) ? key.grant : null;
}

function isSame(asked: string, found: string): boolean {
  return asked.length === found.length && timingSafeEqual(Buffer.from(asked), Buffer.from(found));
}
