import { keylessActor, type Author, type SignedIn, type UserStore } from '@plugin-config/domain';
import type pg from 'pg';
import { insertAudit } from '../audit/insert-audit.ts';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { prepared, run } from '../postgres/statement.ts';
import { actorColumns } from '../postgres/with-actor.ts';
import { useOnce } from './exchanged-tokens.ts';
import { KEY } from './key-columns.ts';
import { insertKey, issuable, limitsOf, NO_TRUST_OR_USER, REVOKE_KEY } from './postgres-api-key-store.ts';

const LOCK_USER = prepared('lock_user')`
  select pg_advisory_xact_lock(${ADVISORY_LOCKS.user}, hashtext($1::text || ' ' || $2::text))`;

const FIND = prepared('find_user')`select ${KEY.sql} from api_key k
  where k.user_issuer = $1 and k.user_subject = $2 and k.revoked_at is null`;

const LOCK_ALL = prepared('lock_users')`select pg_advisory_xact_lock(${ADVISORY_LOCKS.user}, 0)`;

/** Makes a sign-in wait for the end of sessions, and this for sign-ins under way. */
const LOCK_ALL_SHARED = prepared(
  'lock_users_shared',
)`select pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.user}, 0)`;

/** The rows are locked in the order of other statements, which avoids deadlocks. */
const END = prepared('end_sessions')`with ended as (
    update api_key u set revoked_at = $1 where u.id in (
      select k.id from api_key k
      where ($2::text is null or k.user_subject = $2) and k.user_subject is not null and k.revoked_at is null
        and ${issuable(3)}
      order by k.id for no key update
    ) returning u.id, u.label
  )
  insert into audit (at, actor_key_id, actor_label, actor_subject, request_id, action, subject_type, subject_id, subject_name)
  select $1, $6, $7, $8, $9, 'sessions_ended', 'user', e.id, e.label from ended e order by e.id
  returning 1`;

export function postgresUserStore({ pool }: Pick<Database, 'pool'>): UserStore {
  return {
    signIn: (user, once, author) =>
      inTransaction(pool, 'begin', async (client) => {
        if (!(await useOnce(client, { issuer: user.issuer, ...once }, author.at))) return null;
        await run(client, LOCK_ALL_SHARED, []);
        await run(client, LOCK_USER, [user.issuer, user.subject]);
        const { id, hash } =
          (await keepOrRevoke(client, user, author.at)) ?? (await insert(client, user, author));
        const actor = keylessActor({ id, label: user.label }, { id: user.subject });
        await insertAudit(client, { ...author, actor }, 'signed_in', { type: 'user', id, name: user.label });
        return hash;
      }),

    endOwn: (user, author) =>
      inTransaction(pool, 'begin', async (client) => {
        await run(client, LOCK_USER, [user.issuer, user.subject]);
        const [row] = await run(client, FIND, [user.issuer, user.subject]);
        if (row === undefined) return;
        const { id, label } = KEY.read(row).grant;
        await run(client, REVOKE_KEY, [id, author.at.toISOString()]);
        const actor = keylessActor({ id, label }, { id: user.subject });
        await insertAudit(client, { ...author, actor }, 'sessions_ended', { type: 'user', id, name: label });
      }),

    endSessions: (subject, powers, author) =>
      inTransaction(pool, 'begin', async (client) => {
        await run(client, LOCK_ALL, []);
        // Sessions end by themselves, so a key may end those of users even if it expires itself.
        const limits = limitsOf({ ...powers, expiresAt: null });
        const { actorKeyId, actorLabel, actorSubject } = actorColumns(author.actor);
        const by = [actorKeyId, actorLabel, actorSubject && JSON.stringify(actorSubject), author.requestId];
        const ended = await run(client, END, [author.at.toISOString(), subject, ...limits, ...by]);
        return ended.length;
      }),
  };
}

interface StoredUser {
  readonly id: number;
  readonly hash: string;
}

/** Returns the stored user if it has the same name and rights. Otherwise revokes it, which ends its sessions, and returns null. */
async function keepOrRevoke(client: pg.ClientBase, user: SignedIn, at: Date): Promise<StoredUser | null> {
  const [row] = await run(client, FIND, [user.issuer, user.subject]);
  if (row === undefined) return null;
  const { hash, grant } = KEY.read(row);
  if (rightsOf(grant) === rightsOf(user)) return { id: grant.id, hash };
  await run(client, REVOKE_KEY, [grant.id, at.toISOString()]);
  return null;
}

function rightsOf({ label, scopes, projectIds }: Pick<SignedIn, 'label' | 'scopes' | 'projectIds'>): string {
  const projects = [...new Set(projectIds)].toSorted((a, b) => a - b);
  return JSON.stringify([label, scopes.toSorted(), projects]);
}

async function insert(
  client: pg.ClientBase,
  { issuer: userIssuer, subject: userSubject, hash, ...user }: SignedIn,
  author: Omit<Author, 'actor'>,
): Promise<StoredUser> {
  const actor = { keyId: null, label: user.label };
  const row = { ...user, ...NO_TRUST_OR_USER, hash, userIssuer, userSubject, pluginIds: [], accountId: null };
  const added = await insertKey(
    client,
    { ...row, createdAt: author.at, expiresAt: null },
    { ...author, actor },
  );
  return { id: added.id, hash };
}
