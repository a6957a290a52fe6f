import {
  ERASED_KINDS,
  projectNotFound,
  wrongConfirmation,
  type Erasure,
  type ErasedKind,
  type ErasureStore,
} from '@plugin-config/domain';
import { audit } from '../audit/postgres-audit-log.ts';
import type { Entities } from '../entities/entities-on.ts';
import type { ErasureRow } from '../entities/erasure.row.ts';
import { ADVISORY_LOCK } from '../postgres/advisory-locks.ts';
import type { Database } from '../postgres/database.ts';

/** If two projects were deleted concurrently, each would keep a key that is bound to both. */
const ONE_AT_A_TIME = `select pg_advisory_xact_lock(${ADVISORY_LOCK.projectDeletion})`;

/** Locks the keys that are bound to the project alone. */
const OWN_KEYS = `select k.id from api_key k
  where k.id in (select b.key_id from api_key_project b where b.project_id = ?)
    and not exists (select from api_key_project o where o.key_id = k.id and o.project_id <> ?)
  order by k.id for update`;

export function postgresErasureStore({ entities }: Pick<Database, 'entities'>): ErasureStore {
  return {
    start: (projectId, confirmation, author) =>
      entities('start_erasure', ({ em, LockMode, ...rows }) =>
        em.transactional(async (tx) => {
          await tx.execute(ONE_AT_A_TIME);
          // From here on, writers find no family to lock. All transactions lock families, keys and projects in this order.
          await tx.nativeDelete(rows.ConfigFamilyRow, { project: projectId });
          await ownKeys(tx, projectId);
          const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
          const project = await tx.findOne(rows.ProjectRow, projectId, lock);
          if (project === null) return existingErasure({ em: tx, ...rows }, projectId);
          if (project.name !== confirmation) throw wrongConfirmation();
          // Again, for keys issued since. They are deleted, because a key without projects would have access to all projects.
          const keyIds = await ownKeys(tx, projectId);
          await tx.nativeDelete(rows.ApiKeyProjectRow, { project: projectId });
          await tx.nativeDelete(rows.ApiKeyRow, { id: { $in: keyIds } });
          await tx.nativeDelete(rows.ProjectKeyRow, { projectId });
          await tx.nativeDelete(rows.ProjectRow, projectId);
          const counts = { keys: keyIds.length };
          const times = { startedAt: author.at, finishedAt: null };
          const row = tx.create(rows.ErasureRow, { projectId, keyIds, counts, ...times });
          const subject = { type: 'project', id: projectId, name: project.name } as const;
          const work = { kind: 'erasure', projectId, key: projectId } as const;
          tx.create(rows.TaskRow, { ...work, accountId: null, payload: null, dueAt: null, leaseUntil: null });
          audit({ em: tx, AuditRow: rows.AuditRow }, author, 'project_deleted', subject);
          return erasureOf(row);
        }),
      ),

    find: (projectId) =>
      entities('find_erasure', async ({ em, ErasureRow }) => {
        const row = await em.findOne(ErasureRow, projectId);
        return row && erasureOf(row);
      }),

    page: ({ limit, offset }) =>
      entities('list_erasures', async ({ em, ErasureRow }) => {
        const options = { limit, offset, orderBy: { projectId: 'desc' } } as const;
        const [rows, count] = await em.findAndCount(ErasureRow, {}, options);
        return { count, items: rows.map(erasureOf) };
      }),
  };
}

async function ownKeys(em: Entities['em'], projectId: number): Promise<number[]> {
  const rows = await em.execute<{ readonly id: string }[]>(OWN_KEYS, [projectId, projectId]);
  return rows.map(({ id }) => Number(id));
}

async function existingErasure(
  { em, ErasureRow }: Pick<Entities, 'em' | 'ErasureRow'>,
  projectId: number,
): Promise<Erasure> {
  const row = await em.findOne(ErasureRow, projectId);
  if (row === null) throw projectNotFound();
  return erasureOf(row);
}

function erasureOf({ projectId, counts, startedAt, finishedAt }: ErasureRow): Erasure {
  const countOf = (kind: ErasedKind) => [kind, counts[kind] ?? 0] as const;
  return {
    projectId,
    counts: Object.fromEntries(ERASED_KINDS.map(countOf)) as Erasure['counts'],
    startedAt,
    finishedAt,
  };
}
