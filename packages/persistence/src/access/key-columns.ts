import { hash, timingSafeEqual } from 'node:crypto';
import type { ApiKey, KeyGrant, TokenHasher } from '@plugin-config/domain';
import { ApiKeyRow } from '../entities/api-key.row.ts';
import { columns } from '../postgres/columns.ts';
import { rowOf } from '../postgres/table.ts';

/** The projects that a key `k` is bound to; null if there are none. */
const PROJECTS =
  '(select array_agg(b.project_id order by b.project_id) from api_key_project b where b.key_id = k.id) as projects';

/** Hashes once and without salt, which is enough for tokens with 256 random bits. */
export function sha256TokenHasher(): TokenHasher {
  return { hash: (token) => hash('sha256', token, 'hex') };
}

const GRANT_ROW = rowOf(ApiKeyRow, 'k', ['createdAt', 'lastUsedAt', 'trust', 'userIssuer', 'userSubject']);
const ROW = rowOf(ApiKeyRow, 'k', ['hash', 'trust', 'userIssuer', 'userSubject']);
const IS_TRUST = 'k.trust is not null as is_trust';

/** The shown columns of a key `k`. */
export const SHOWN_KEY = columns((row): ApiKey => {
  const key = row.all(ROW);
  return { ...key, accountId: key.accountId ?? key.id, projectIds: row.numbers(PROJECTS) };
});

/** The columns of a key `k` that give access. */
export const KEY = columns((row) => {
  const { hash: stored, ...key } = row.all(GRANT_ROW);
  const projectIds = row.numbers(PROJECTS);
  const isTrust = row.flag(IS_TRUST);
  const user = row.textOrNull('k.user_subject');
  const grant: KeyGrant = {
    ...key,
    accountId: key.accountId ?? key.id,
    projectIds,
    ...(isTrust && { isTrust }),
    ...(user !== null && { user }),
  };
  return { hash: stored, grant };
});

type Key = ReturnType<typeof KEY.read>;

/** Returns the grant of the key if the hashes match. */
export function grantOf(key: Key | null | undefined, keyHash: string): KeyGrant | null {
  return key != null && isSameHash(keyHash, key.hash) ? key.grant : null;
}

function isSameHash(given: string, stored: string): boolean {
  return given.length === stored.length && timingSafeEqual(Buffer.from(given), Buffer.from(stored));
}
