import {
  ACCOUNT_KEYS_MAX,
  DomainError,
  invalidCredential,
  KEY_PAGE_MAX_PROJECTS,
  type ApiKey,
  type ApiKeyStore,
  type Author,
  type NewApiKey,
  type Powers,
  type TrustRule,
} from '@plugin-config/domain';
import type pg from 'pg';
import { insertAudit } from '../audit/insert-audit.ts';
import { ApiKeyRow } from '../entities/api-key.row.ts';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import { numberAt } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { pageOf } from '../postgres/read-page.ts';
import { prepared, run, type Parameter } from '../postgres/statement.ts';
import { writtenOf } from '../postgres/table.ts';
import { SHOWN_KEY } from './key-columns.ts';

const RETRY_AFTER_SECONDS = 60;

const WRITTEN = writtenOf(ApiKeyRow, ['id', 'lastUsedAt', 'revokedAt']);

const INSERT_KEY = prepared('insert_key')`
  insert into api_key as k (${WRITTEN.names}) values (${WRITTEN.parameters(1)}) returning ${SHOWN_KEY.sql}`;

/** Also locks the projects, which makes their deletion wait for the end of the transaction. */
const BIND_KEY = prepared('bind_key')`insert into api_key_project (key_id, project_id)
  select $1, p.id from project p where p.id = any ($2::bigint[]) order by p.id for key share
  returning 1`;

const LOCK_ACCOUNT = prepared('lock_account')`
  select pg_advisory_xact_lock(${ADVISORY_LOCKS.account}, hashint8($1))`;

const COUNT_LIVE = prepared('count_live_keys')`select count(*) from api_key k
  where (k.id = $1 or k.account_id = $1) and k.user_subject is null and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)`;

const FIND_ACCOUNT = prepared('find_account')`
  select from api_key k where k.id = $1 and k.account_id is null`;

const LOCK_PROJECTS = prepared('lock_account_of_projects')`
  select pg_advisory_xact_lock(${ADVISORY_LOCKS.accountOfProjects}, hashtext($1::bigint[]::text))`;

const ACCOUNT_OF_PROJECTS = prepared('account_of_projects')`
  select coalesce(k.account_id, k.id) from api_key k
  where k.id in (select b.key_id from api_key_project b where b.project_id = any ($1::bigint[]))
    and array(select b.project_id from api_key_project b where b.key_id = k.id order by b.project_id) = $1::bigint[]
  order by k.id limit 1`;

/** Makes a concurrent revocation wait: no key is issued after it. */
const LOCK_ISSUER = prepared('lock_issuer')`
  select from api_key k where k.id = $1 and k.revoked_at is null for share`;

/** The condition for the keys `k` that these powers may issue, like `canIssue`. */
export const issuable = (first: number): string => `($${first}::text[] is null or k.scopes <@ $${first})
    and ($${first + 1}::timestamptz is null or k.expires_at <= $${first + 1})
    and ($${first + 2}::bigint[] is null or exists (select from api_key_project b where b.key_id = k.id)
      and array(select b.project_id from api_key_project b where b.key_id = k.id) <@ $${first + 2})`;

/** The condition for a key that somebody has, which is neither a trust nor a user. */
const IS_KEY = 'k.trust is null and k.user_subject is null';

const PAGE = pageOf({
  name: 'page_of_keys',
  item: SHOWN_KEY,
  from: `api_key k where ${IS_KEY} and ${issuable(3)}`,
  order: 'id',
  bytes: '(select count(*) from api_key_project b where b.key_id = p.id)',
  maxBytes: String(KEY_PAGE_MAX_PROJECTS),
});

const FIND_KEY = prepared('find_key')`select ${SHOWN_KEY.sql} from api_key k where k.id = $1`;

const LOCK_KEY = prepared('lock_key')`
  select ${SHOWN_KEY.sql} from api_key k where k.id = $1 and ${IS_KEY} and ${issuable(2)} for update`;

/** Revokes a key, a trust or a user. */
export const REVOKE_KEY = prepared('revoke_key')`update api_key k set revoked_at = $2 where k.id = $1`;

/** Locks the keys in a fixed order, so concurrent calls cannot deadlock. */
export const TOUCH_KEYS = prepared('touch_keys')`update api_key k set last_used_at = u.at
  from (
    select k.id, u.at from unnest($1::bigint[], $2::timestamptz[]) as u (id, at) join api_key k on k.id = u.id
    where (k.last_used_at is null or k.last_used_at < u.at) and (k.revoked_at is null or k.revoked_at >= u.at)
    order by k.id for no key update of k
  ) u
  where k.id = u.id`;

export function postgresApiKeyStore({ pool }: Pick<Database, 'pool'>): ApiKeyStore {
  return {
    add: (key, author) =>
      inTransaction(pool, 'begin', async (client) => {
        const added = await insertKey(client, { ...key, ...NO_TRUST_OR_USER }, author);
        await insertAudit(client, author, 'key_issued', { type: 'key', id: added.id, name: added.label });
        return added;
      }),

    find: async (id) => {
      const [row] = await run(pool, FIND_KEY, [id]);
      return row === undefined ? null : SHOWN_KEY.read(row);
    },

    list: (page, powers) => PAGE.read(pool, page, limitsOf(powers)),

    revoke: (id, powers, author) =>
      inTransaction(pool, 'begin', async (client) => {
        const [row] = await run(client, LOCK_KEY, [id, ...limitsOf(powers)]);
        if (row === undefined) return false;
        const { label: name, revokedAt } = SHOWN_KEY.read(row);
        if (revokedAt !== null) return true;
        await run(client, REVOKE_KEY, [id, author.at.toISOString()]);
        await insertAudit(client, author, 'key_revoked', { type: 'key', id, name });
        return true;
      }),

    touch: async (uses) => {
      const times = [...uses.values()].map((at) => at.toISOString());
      if (times.length > 0) await run(pool, TOUCH_KEYS, [[...uses.keys()], times]);
    },
  };
}

interface InsertedKey extends NewApiKey {
  readonly trust: TrustRule | null;
  readonly userIssuer: string | null;
  readonly userSubject: string | null;
}

/** The columns of a key that is neither a trust nor a user. */
export const NO_TRUST_OR_USER = { trust: null, userIssuer: null, userSubject: null };

/** Inserts a key, a trust or a user under the conditions of `ApiKeyStore.add`. Users are not counted. */
export async function insertKey(
  client: pg.ClientBase,
  { projectIds, accountId: wanted, ...key }: InsertedKey,
  author: Author,
): Promise<ApiKey> {
  const projects = [...new Set(projectIds)].toSorted((a, b) => a - b);
  const accountId =
    wanted === null ? await accountOfProjects(client, projects) : await requireAccount(client, wanted);
  if (accountId !== null && key.userSubject === null) await checkKeyCount(client, accountId, author.at);
  await lockIssuer(client, author);
  const [row = []] = await run(client, INSERT_KEY, WRITTEN.values({ ...key, accountId }));
  const added = { ...SHOWN_KEY.read(row), projectIds: projects };
  await bindKey(client, added.id, projects);
  return added;
}

export async function bindKey(client: pg.ClientBase, id: number, projects: readonly number[]): Promise<void> {
  if (projects.length === 0) return;
  const bound = await run(client, BIND_KEY, [id, projects]);
  if (bound.length < projects.length) throw noSuchProject();
}

async function requireAccount(client: pg.ClientBase, accountId: number): Promise<number> {
  if ((await run(client, FIND_ACCOUNT, [accountId])).length > 0) return accountId;
  throw new DomainError('does_not_exist', 'No such account.', { attr: 'account_id' });
}

/** Returns the account of the first key that is bound to these projects; null if there is none. Serializes such keys. */
async function accountOfProjects(
  client: pg.ClientBase,
  projectIds: readonly number[],
): Promise<number | null> {
  if (projectIds.length === 0) return null;
  await run(client, LOCK_PROJECTS, [projectIds]);
  const [row] = await run(client, ACCOUNT_OF_PROJECTS, [projectIds]);
  return row === undefined ? null : numberAt(row, 0);
}

/** Rejects another key if the account has too many live keys. Serializes the issues of an account. */
async function checkKeyCount(client: pg.ClientBase, accountId: number, at: Date): Promise<void> {
  await run(client, LOCK_ACCOUNT, [accountId]);
  const [row = []] = await run(client, COUNT_LIVE, [accountId, at.toISOString()]);
  if (numberAt(row, 0) >= ACCOUNT_KEYS_MAX) throw tooManyKeys();
}

function tooManyKeys(): DomainError {
  const message = `An account can have at most ${ACCOUNT_KEYS_MAX} keys: revoke one of them first.`;
  return new DomainError('throttled', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Makes a concurrent revocation of the author's key wait. @throws DomainError `authentication_failed` if it is revoked */
export async function lockIssuer(client: pg.ClientBase, { actor: { keyId } }: Author): Promise<void> {
  if (keyId === null) return;
  if ((await run(client, LOCK_ISSUER, [keyId])).length === 0) throw invalidCredential();
}

/** Returns the parameters of `issuable`. */
export function limitsOf(powers: Powers | null): readonly Parameter[] {
  if (powers === null) return [null, null, null];
  const { scopes, projectIds, expiresAt } = powers;
  return [scopes, expiresAt?.toISOString() ?? null, projectIds.length > 0 ? projectIds : null];
}

function noSuchProject(): DomainError {
  return new DomainError('does_not_exist', 'No such project.', { attr: 'project_ids' });
}
