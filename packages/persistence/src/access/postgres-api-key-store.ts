import type { FilterQuery } from '@mikro-orm/core';
import {
  ACCOUNT_KEYS_MAX,
  DomainError,
  invalidCredential,
  itemsThatFit,
  KEY_PAGE_MAX_PROJECTS,
  type ApiKey,
  type ApiKeyStore,
  type Author,
  type Powers,
} from '@plugin-config/domain';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import { audit } from '../audit/postgres-audit-log.ts';
import type { Database } from '../postgres/database.ts';
import { run, type Statement } from '../postgres/statement.ts';
import type { Entities } from '../entities/entities-on.ts';
import type { ApiKeyRow } from '../entities/api-key.row.ts';

const RETRY_AFTER_SECONDS = 60;

const LOCK_ACCOUNT = `select pg_advisory_xact_lock(${ADVISORY_LOCKS.account}, hashint8(?))`;
const COUNT_LIVE = `select count(*)::int as count from api_key k
  where (k.id = ? or k.account_id = ?) and k.revoked_at is null and (k.expires_at is null or k.expires_at > ?)`;

const ACCOUNT_EXISTS = 'select 1 from api_key where id = ? and account_id is null';
const LOCK_PROJECTS = `select pg_advisory_xact_lock(${ADVISORY_LOCKS.accountOfProjects}, hashtext(?))`;
const ACCOUNT_OF_PROJECTS = `select coalesce(k.account_id, k.id)::text as id from api_key k
  where k.id in (select b.key_id from api_key_project b where b.project_id = ?)
    and array(select b.project_id from api_key_project b where b.key_id = k.id order by b.project_id) = ?::bigint[]
  order by k.id limit 1`;

const FOREIGN_KEY_VIOLATION = '23503';

/** Locks the keys in a fixed order, so concurrent calls cannot deadlock. */
export const TOUCH_KEYS: Statement = {
  name: 'touch_keys',
  text: `update api_key k set last_used_at = u.at
  from (
    select k.id, u.at from unnest($1::bigint[], $2::timestamptz[]) as u (id, at) join api_key k on k.id = u.id
    where (k.last_used_at is null or k.last_used_at < u.at) and (k.revoked_at is null or k.revoked_at >= u.at)
    order by k.id for no key update of k
  ) u
  where k.id = u.id`,
};

export function postgresApiKeyStore({ entities, pool }: Pick<Database, 'entities' | 'pool'>): ApiKeyStore {
  return {
    add: ({ projectIds, accountId: wanted, ...key }, author) =>
      entities('add_key', ({ em, LockMode, ApiKeyRow, ApiKeyProjectRow, AuditRow }) =>
        em.transactional(async (tx) => {
          const projects = [...new Set(projectIds)].toSorted((a, b) => a - b);
          const accountId =
            wanted === null ? await accountOfProjects(tx, projects) : await requireAccount(tx, wanted);
          if (accountId !== null) await checkKeyCount(tx, accountId, author.at);
          await lockIssuer({ em: tx, LockMode, ApiKeyRow }, author);
          const unused = { lastUsedAt: null, revokedAt: null };
          const row = tx.create(ApiKeyRow, { ...key, accountId, scopes: [...key.scopes], ...unused });
          await tx.flush();
          for (const project of projects) tx.create(ApiKeyProjectRow, { key: row, project });
          await tx.flush().catch(translateUnknownProject);
          audit({ em: tx, AuditRow }, author, 'key_issued', { type: 'key', id: row.id, name: row.label });
          return keyOf(row, projects);
        }),
      ),

    find: (id) =>
      entities('find_key', async ({ em, ApiKeyRow }) => {
        const row = await em.findOne(ApiKeyRow, id);
        return row && keyOf(row);
      }),

    list: ({ limit, offset }, powers) =>
      entities('list_keys', async ({ em, ApiKeyRow }) => {
        const sizes = { limit, offset, orderBy: { id: 'asc' }, fields: ['id', 'bindings'] } as const;
        const [sized, count] = await em.findAndCount(ApiKeyRow, issuableWith(powers), sizes);
        const fitting = itemsThatFit(sized, ({ bindings }) => bindings, KEY_PAGE_MAX_PROJECTS);
        const ids = fitting.map(({ id }) => id);
        const rows = await em.fork().find(ApiKeyRow, { id: { $in: ids } }, { orderBy: { id: 'asc' } });
        return { count, items: rows.map((row) => keyOf(row)) };
      }),

    revoke: (id, powers, author) =>
      entities('revoke_key', ({ em, ApiKeyRow, AuditRow, LockMode }) =>
        em.transactional(async (tx) => {
          const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
          const row = await tx.findOne(ApiKeyRow, { $and: [{ id }, issuableWith(powers)] }, lock);
          if (row === null) return false;
          if (row.revokedAt === null) {
            row.revokedAt = author.at;
            audit({ em: tx, AuditRow }, author, 'key_revoked', { type: 'key', id, name: row.label });
          }
          return true;
        }),
      ),

    touch: async (uses) => {
      const times = [...uses.values()].map((at) => at.toISOString());
      if (times.length > 0) await run(pool, TOUCH_KEYS, [[...uses.keys()], times]);
    },
  };
}

async function requireAccount(em: Entities['em'], accountId: number): Promise<number> {
  if ((await em.execute<readonly unknown[]>(ACCOUNT_EXISTS, [accountId])).length > 0) return accountId;
  throw new DomainError('does_not_exist', 'No such account.', { attr: 'account_id' });
}

/** Returns the account of the first key that is bound to these projects; null if there is none. Serializes such keys. */
async function accountOfProjects(em: Entities['em'], projectIds: readonly number[]): Promise<number | null> {
  const [first] = projectIds;
  if (first === undefined) return null;
  const set = `{${projectIds.join(',')}}`;
  await em.execute(LOCK_PROJECTS, [set]);
  const [found] = await em.execute<{ readonly id: string }[]>(ACCOUNT_OF_PROJECTS, [first, set]);
  return found === undefined ? null : Number(found.id);
}

/** Rejects another key if the account has too many live keys. Serializes the issues of an account. */
async function checkKeyCount(em: Entities['em'], accountId: number, at: Date): Promise<void> {
  await em.execute(LOCK_ACCOUNT, [accountId]);
  const [row] = await em.execute<{ readonly count: number }[]>(COUNT_LIVE, [
    accountId,
    accountId,
    at.toISOString(),
  ]);
  if ((row?.count ?? 0) >= ACCOUNT_KEYS_MAX) throw tooManyKeys();
}

function tooManyKeys(): DomainError {
  const message = `An account can have at most ${ACCOUNT_KEYS_MAX} keys: revoke one of them first.`;
  return new DomainError('throttled', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Locks the issuing key, so a concurrent revocation waits and no key is issued after it. Throws if the key is revoked. */
async function lockIssuer(
  { em, ApiKeyRow, LockMode }: Pick<Entities, 'em' | 'ApiKeyRow' | 'LockMode'>,
  { actor: { keyId } }: Author,
): Promise<void> {
  if (keyId === null) return;
  const live = { id: keyId, revokedAt: null };
  const lock = { fields: ['id'], lockMode: LockMode.PESSIMISTIC_READ } as const;
  if ((await em.findOne(ApiKeyRow, live, lock)) === null) throw invalidCredential();
}

/** Matches the keys that these powers may issue, like `canIssue`. */
function issuableWith(powers: Powers | null): FilterQuery<ApiKeyRow> {
  if (powers === null) return {};
  const { scopes, projectIds, expiresAt } = powers;
  return {
    scopes: { $contained: [...scopes] },
    ...(expiresAt !== null && { expiresAt: { $lte: expiresAt } }),
    ...(projectIds.length > 0 && { projectIds: { $contained: [...projectIds] } }),
  };
}

function keyOf(
  { id, accountId, label, scopes, createdAt, expiresAt, lastUsedAt, revokedAt, ...row }: ApiKeyRow,
  projectIds: readonly number[] = row.projectIds ?? [],
): ApiKey {
  const times = { createdAt, expiresAt, lastUsedAt, revokedAt };
  return { id, accountId: accountId ?? id, label, scopes, projectIds, ...times };
}

function translateUnknownProject(error: unknown): never {
  if (!(error instanceof Error) || !('code' in error) || error.code !== FOREIGN_KEY_VIOLATION) throw error;
  throw new DomainError('does_not_exist', 'No such project.', { attr: 'project_ids', cause: error });
}
