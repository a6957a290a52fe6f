import type { Trust, TrustRule, TrustStore } from '@plugin-config/domain';
import { insertAudit } from '../audit/insert-audit.ts';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { pageOf } from '../postgres/read-page.ts';
import { prepared, run } from '../postgres/statement.ts';
import { useOnce } from './exchanged-tokens.ts';
import { SHOWN_KEY } from './key-columns.ts';
import {
  bindKey,
  insertKey,
  issuable,
  limitsOf,
  lockIssuer,
  NO_TRUST_OR_USER,
  REVOKE_KEY,
} from './postgres-api-key-store.ts';

/** The columns of a trust, which is a key `k`. */
const TRUST = columns((row): Trust => {
  const { id, label: name, scopes, projectIds, createdAt, expiresAt, lastUsedAt } = row.all(SHOWN_KEY);
  const rule = ruleOf(row.json('k.trust') as TrustRule);
  return { id, name, ...rule, scopes, projectIds, createdAt, expiresAt, lastUsedAt };
});

const FOUND = columns((row) => ({ ...row.all(TRUST), hash: row.text('k.hash') }));

const IS_LIVE = 'k.trust is not null and k.revoked_at is null';

const PAGE = pageOf({
  name: 'page_of_trusts',
  item: TRUST,
  from: `api_key k where ${IS_LIVE} and ${issuable(3)}`,
  order: 'id',
});

const FIND = prepared('find_trust')`select ${FOUND.sql} from api_key k where k.id = $1 and ${IS_LIVE}`;

const LOCK = prepared('lock_trust')`
  select ${TRUST.sql} from api_key k where k.id = $1 and ${IS_LIVE} and ${issuable(2)} for update`;

const CHANGE = prepared('change_trust')`
  update api_key k set label = $2, scopes = $3, trust = $4, hash = $5 where k.id = $1`;

const UNBIND = prepared('unbind_trust')`delete from api_key_project b where b.key_id = $1`;

/** Makes a concurrent change or deletion wait. */
const LOCK_UNCHANGED = prepared('lock_unchanged_trust')`
  select from api_key k where k.id = $1 and k.hash = $2 and ${IS_LIVE} for share`;

export function postgresTrustStore({ pool }: Pick<Database, 'pool'>): TrustStore {
  return {
    add: ({ name: label, ...draft }, author) =>
      inTransaction(pool, 'begin', async (client) => {
        const trust = ruleOf(draft);
        const added = await insertKey(
          client,
          { ...draft, ...NO_TRUST_OR_USER, label, pluginIds: [], trust },
          author,
        );
        await insertAudit(client, author, 'trust_created', { type: 'trust', id: added.id, name: label });
        const { id, scopes, projectIds, createdAt, expiresAt, lastUsedAt } = added;
        return { id, name: label, ...trust, scopes, projectIds, createdAt, expiresAt, lastUsedAt };
      }),

    list: (page, powers) => PAGE.read(pool, page, limitsOf(powers)),

    find: async (id) => {
      const [row] = await run(pool, FIND, [id]);
      return row === undefined ? null : FOUND.read(row);
    },

    change: (id, powers, hash, decide, author) =>
      inTransaction(pool, 'begin', async (client) => {
        await lockIssuer(client, author);
        const [row] = await run(client, LOCK, [id, ...limitsOf(powers)]);
        if (row === undefined) return null;
        const before = TRUST.read(row);
        const { name, scopes, projectIds: sent, ...draft } = decide(before);
        const rule = ruleOf(draft);
        const projectIds = [...new Set(sent)].toSorted((a, b) => a - b);
        await run(client, CHANGE, [id, name, scopes, JSON.stringify(rule), hash]);
        await run(client, UNBIND, [id]);
        await bindKey(client, id, projectIds);
        await insertAudit(client, author, 'trust_changed', { type: 'trust', id, name });
        return { ...before, name, ...rule, scopes, projectIds };
      }),

    remove: (id, powers, author) =>
      inTransaction(pool, 'begin', async (client) => {
        const [row] = await run(client, LOCK, [id, ...limitsOf(powers)]);
        if (row === undefined) return false;
        await run(client, REVOKE_KEY, [id, author.at.toISOString()]);
        await insertAudit(client, author, 'trust_deleted', { type: 'trust', id, name: TRUST.read(row).name });
        return true;
      }),

    exchange: ({ id, name, hash, issuer }, { jti, expiresAt }, author) =>
      inTransaction(pool, 'begin', async (client) => {
        if ((await run(client, LOCK_UNCHANGED, [id, hash])).length === 0) return 'gone';
        if (!(await useOnce(client, { issuer, id: jti, expiresAt }, author.at))) return 'repeated';
        await insertAudit(client, author, 'token_exchanged', { type: 'trust', id, name });
        return 'exchanged';
      }),
  };
}

function ruleOf({ issuer, audience, claims, maxMinutes }: TrustRule): TrustRule {
  return { issuer, audience, claims, maxMinutes };
}
