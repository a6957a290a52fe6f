import {
  ERASED_KINDS,
  projectNotFound,
  wrongConfirmation,
  type Erasure,
  type ErasedKind,
  type ErasureStore,
} from '@plugin-config/domain';
import type pg from 'pg';
import { insertAudit } from '../audit/insert-audit.ts';
import { ErasureRow } from '../entities/erasure.row.ts';
import { ADVISORY_LOCK } from '../postgres/advisory-locks.ts';
import { columns, numberAt, textAt } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { pageOf } from '../postgres/read-page.ts';
import { prepared, run, type Statement } from '../postgres/statement.ts';
import { rowOf, writtenOf } from '../postgres/table.ts';
import { ADD_TASKS, NEW_TASK } from '../task/postgres-task-queue.ts';

/** If two projects were deleted concurrently, each would keep a key that is bound to both. */
const ONE_AT_A_TIME = prepared('lock_project_deletion')`
  select pg_advisory_xact_lock(${ADVISORY_LOCK.projectDeletion})`;

const DELETE_FAMILIES = prepared('delete_families')`delete from config_family f where f.project_id = $1`;

/** Locks the keys that are bound to the project alone. */
const OWN_KEYS = prepared('own_keys')`select k.id from api_key k
  where k.id in (select b.key_id from api_key_project b where b.project_id = $1)
    and not exists (select from api_key_project o where o.key_id = k.id and o.project_id <> $1)
  order by k.id for update`;

const LOCK_PROJECT = prepared('lock_project_to_delete')`
  select p.name, p.external_id from project p where p.id = $1 for update`;

const UNBIND_KEYS = prepared('unbind_keys')`
  delete from api_key_project b where b.project_id = $1 returning b.key_id`;

/** Keys are deleted, because a key without projects would have access to all projects. */
const DELETIONS: readonly Statement[] = [
  { name: 'delete_data_key', text: 'delete from project_key k where k.project_id = $1' },
  { name: 'delete_project', text: 'delete from project p where p.id = $1' },
];

const DELETE_KEYS = prepared('delete_keys')`delete from api_key k where k.id = any ($1::bigint[])`;

const ROW = rowOf(ErasureRow, 'e', ['keyIds', 'lostBy', 'externalId', 'changedXid']);

const ERASURE = columns((row): Erasure => {
  const { counts, ...erasure } = row.all(ROW);
  const countOf = (kind: ErasedKind) => [kind, counts[kind] ?? 0] as const;
  return { ...erasure, counts: Object.fromEntries(ERASED_KINDS.map(countOf)) as Erasure['counts'] };
});

const WRITTEN = writtenOf(ErasureRow, ['changedXid']);

const INSERT_ERASURE = prepared('insert_erasure')`
  insert into erasure as e (${WRITTEN.names}) values (${WRITTEN.parameters(1)}) returning ${ERASURE.sql}`;

const FIND_ERASURE = prepared('find_erasure')`select ${ERASURE.sql} from erasure e where e.project_id = $1`;

const PAGE = pageOf({
  name: 'page_of_erasures',
  item: ERASURE,
  from: 'erasure e',
  order: 'project_id desc',
});

export function postgresErasureStore({ pool }: Pick<Database, 'pool'>): ErasureStore {
  return {
    start: (projectId, confirmation, author) =>
      inTransaction(pool, 'begin', async (client) => {
        await run(client, ONE_AT_A_TIME, []);
        // From here on, writers find no family to lock. All transactions lock families, keys and projects in this order.
        await run(client, DELETE_FAMILIES, [projectId]);
        await run(client, OWN_KEYS, [projectId]);
        const [project] = await run(client, LOCK_PROJECT, [projectId]);
        if (project === undefined) return (await findErasure(client, projectId)) ?? notFound();
        const name = textAt(project, 0);
        const [, externalId = null] = project;
        if (name !== confirmation) throw wrongConfirmation();
        // Again, for keys issued since.
        const keyIds = (await run(client, OWN_KEYS, [projectId])).map((row) => numberAt(row, 0));
        const boundIds = (await run(client, UNBIND_KEYS, [projectId])).map((row) => numberAt(row, 0));
        const lostBy = boundIds.filter((id) => !keyIds.includes(id));
        for (const statement of DELETIONS) await run(client, statement, [projectId]);
        await run(client, DELETE_KEYS, [keyIds]);
        const task = { kind: 'erasure', projectId, accountId: null, key: projectId, payload: null } as const;
        await run(client, ADD_TASKS, NEW_TASK.arrays([task]));
        await insertAudit(client, author, 'project_deleted', { type: 'project', id: projectId, name });
        const counts = { keys: keyIds.length };
        const erasure = {
          projectId,
          counts,
          keyIds,
          lostBy,
          externalId,
          startedAt: author.at,
          finishedAt: null,
        };
        const [row = []] = await run(client, INSERT_ERASURE, WRITTEN.values(erasure));
        return ERASURE.read(row);
      }),

    find: (projectId) => findErasure(pool, projectId),

    page: (page) => PAGE.read(pool, page),
  };
}

async function findErasure(connection: pg.Pool | pg.ClientBase, projectId: number): Promise<Erasure | null> {
  const [row] = await run(connection, FIND_ERASURE, [projectId]);
  return row === undefined ? null : ERASURE.read(row);
}

function notFound(): never {
  throw projectNotFound();
}
