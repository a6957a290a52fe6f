import { DomainError, type ApiKey, type ApiKeyStore } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { translated } from '../postgres/translate-error.ts';
import type { ApiKeyRow } from '../entities/api-key.row.ts';

const FOREIGN_KEY_VIOLATION = '23503';

/** Locks the keys in one order, so that concurrent calls cannot deadlock. */
export const TOUCH_KEYS: Statement = {
  name: 'touch_keys',
  text: `update api_key k set last_used_at = u.at
  from (
    select k.id, u.at from unnest($1::bigint[], $2::timestamptz[]) as u (id, at) join api_key k on k.id = u.id
    where k.last_used_at is null or k.last_used_at < u.at
    order by k.id for no key update of k
  ) u
  where k.id = u.id`,
};

export function postgresApiKeyStore({ entities, pool }: Pick<Database, 'entities' | 'pool'>): ApiKeyStore {
  return {
    add: ({ projectIds, ...key }) =>
      translated(async () => {
        const { em, ApiKeyRow, ApiKeyProjectRow } = await entities();
        return em.transactional(async (own) => {
          const row = own.create(ApiKeyRow, {
            ...key,
            scopes: [...key.scopes],
            lastUsedAt: null,
            revokedAt: null,
          });
          await own.flush();
          for (const project of new Set(projectIds)) own.create(ApiKeyProjectRow, { key: row, project });
          await own.flush().catch(unknownProject);
          return keyOf(
            row,
            [...new Set(projectIds)].toSorted((a, b) => a - b),
          );
        });
      }),

    list: () =>
      translated(async () => {
        const { em, ApiKeyRow, ApiKeyProjectRow } = await entities();
        const rows = await em.find(ApiKeyRow, {}, { orderBy: { id: 'asc' } });
        const bindings = await em.find(ApiKeyProjectRow, {}, { orderBy: { project: 'asc' } });
        const bound = Map.groupBy(bindings, ({ key }) => key.id);
        return rows.map((row) => keyOf(row, bound.get(row.id)?.map(({ project }) => project.id) ?? []));
      }),

    revoke: (id, at) =>
      translated(async () => {
        const { em, ApiKeyRow } = await entities();
        const row = await em.findOne(ApiKeyRow, id);
        if (row === null) return false;
        row.revokedAt ??= at;
        await em.flush();
        return true;
      }),

    touch: async (uses) => {
      const times = [...uses.values()].map((at) => at.toISOString());
      if (times.length > 0) await run(pool, TOUCH_KEYS, [[...uses.keys()], times]);
    },
  };
}

function keyOf(
  { id, label, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }: ApiKeyRow,
  projectIds: readonly number[],
): ApiKey {
  return { id, label, scopes, projectIds, createdAt, expiresAt, lastUsedAt, revokedAt };
}

function unknownProject(error: unknown): never {
  if (!(error instanceof Error) || !('code' in error) || error.code !== FOREIGN_KEY_VIOLATION) throw error;
  throw new DomainError('does_not_exist', 'No such project.', { attr: 'project', cause: error });
}
