import {
  externalIdTaken,
  FAMILIES,
  NO_QUOTA,
  tooManyChanges,
  type Author,
  type LogQuota,
  type NewProject,
  type Project,
  type ProjectStore,
} from '@plugin-config/domain';
import type pg from 'pg';
import { insertAudit } from '../audit/insert-audit.ts';
import { addDataKey } from '../configuration/data-keys.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { ProjectRow } from '../entities/project.row.ts';
import { retryWhenBusy } from '../postgres/busy.ts';
import { columns, numberAt, textAt } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { pageOf } from '../postgres/read-page.ts';
import { prepared, run } from '../postgres/statement.ts';
import { rowOf, writtenOf } from '../postgres/table.ts';
import { isUniqueViolation } from '../postgres/translate-error.ts';
import { lockFamilies } from '../writing/lock-families.ts';
import { INCREMENTS } from '../writing/write.ts';

const ROW = rowOf(ProjectRow, 'p');

const PROJECT = columns((row): Project => {
  const { logEntriesPerDay: entriesPerDay, logBytesPerDay: bytesPerDay, ...project } = row.all(ROW);
  return { ...project, logQuota: { entriesPerDay, bytesPerDay } };
});

const WRITTEN = writtenOf(ProjectRow, ['id']);
const CHANGED = writtenOf(ProjectRow, ['id', 'createdAt']);

/** Waits for a transaction that writes the same external id. Returns no row if another project has it then. */
const INSERT_PROJECT = prepared('insert_project')`
  insert into project as p (${WRITTEN.names}) values (${WRITTEN.parameters(1)})
  on conflict (external_id) do nothing returning ${PROJECT.sql}`;

const INSERT_FAMILIES = prepared('insert_families')`
  insert into config_family (project_id, family) select $1, unnest($2::text[])`;

const FIND_PROJECT = prepared('find_project')`select ${PROJECT.sql} from project p where p.id = $1`;

const LOCK_PROJECT = prepared('lock_project_to_change')`${FIND_PROJECT.text} for update`;

const LOCK_BY_EXTERNAL_ID = prepared('lock_project_by_external_id')`
  select ${PROJECT.sql} from project p where p.external_id = $1 for update`;

const IDS_OF_EXTERNAL_IDS = prepared('ids_of_external_ids')`
  select p.external_id, p.id from project p where p.external_id = any ($1)`;

const CHANGE_PROJECT = prepared('change_project')`
  update project p set ${CHANGED.assignments(2)} where p.id = $1`;

/** Runtimes get the external id with the records. */
const CHANGE_FAMILIES = prepared('change_families_of_project')`
  update config_family f set ${INCREMENTS.list_version} where f.project_id = $1`;

const folded = (text: string): string => `lower(${text} collate search_collation)`;
const contains = (text: string): string => `strpos(${folded(text)}, ${folded('$5')}) > 0`;

const PROJECTS = {
  item: PROJECT,
  from: `project p where (cardinality($3::bigint[]) = 0 or p.id = any ($3))
    and ($4::text is null or p.external_id = $4)
    and ($5::text is null or ${contains('p.name')} or ${contains('p.external_id')})
    and (cardinality($6::integer[]) = 0 or exists (select from config_record r
      where r.plugin = any ($6) and r.project_id = p.id and not r.deleted))`,
};

const PAGE = pageOf({ ...PROJECTS, name: 'page_of_projects', order: 'id' });

const FOUND_PAGE = pageOf({
  ...PROJECTS,
  name: 'page_of_found_projects',
  order: `${folded('$5')} in (${folded('p.name')}, ${folded("coalesce(p.external_id, '')")}) desc, id`,
});

export function postgresProjectStore({
  pool,
  masterKeys,
}: Pick<EncryptedDatabase, 'pool' | 'masterKeys'>): ProjectStore {
  /** Returns null if another project has the external id. */
  const insert = async (
    client: pg.ClientBase,
    { name, externalId = null }: NewProject,
    author: Author,
  ): Promise<Project | null> => {
    const values = WRITTEN.values({ name, externalId, createdAt: author.at, ...quotaColumns(NO_QUOTA) });
    const [row] = await run(client, INSERT_PROJECT, values);
    if (row === undefined) return null;
    const project = PROJECT.read(row);
    await addDataKey(client, masterKeys, project.id);
    await run(client, INSERT_FAMILIES, [project.id, FAMILIES]);
    await insertAudit(client, author, 'project_created', { type: 'project', id: project.id, name });
    return project;
  };
  const change = async (
    client: pg.ClientBase,
    { id, name, externalId, logQuota }: Project,
  ): Promise<void> => {
    const values = CHANGED.values({ name, externalId, ...quotaColumns(logQuota) });
    await run(client, CHANGE_PROJECT, [id, ...values]).catch((error: unknown) => {
      throw isUniqueViolation(error) ? externalIdTaken() : error;
    });
  };
  return {
    create: (project, author) =>
      inTransaction(pool, 'begin', async (client) => {
        const created = await insert(client, project, author);
        if (created === null) throw externalIdTaken();
        return created;
      }),

    put: (externalId, name, author) =>
      retryWhenBusy(() =>
        inTransaction(pool, 'begin', async (client) => {
          const [row] = await run(client, LOCK_BY_EXTERNAL_ID, [externalId]);
          if (row === undefined) {
            const project = await insert(client, { name: name ?? externalId, externalId }, author);
            if (project === null) throw tooManyChanges({ retryAfterSeconds: 1 });
            return { project, isNew: true };
          }
          const found = PROJECT.read(row);
          if (name === undefined || name === found.name) return { project: found, isNew: false };
          const project = { ...found, name };
          await change(client, project);
          await insertAudit(client, author, 'project_renamed', { type: 'project', id: found.id, name });
          return { project, isNew: false };
        }),
      ),

    find: async (id) => {
      const [row] = await run(pool, FIND_PROJECT, [id]);
      return row === undefined ? null : PROJECT.read(row);
    },

    idsOf: async (externalIds) => {
      const rows = await run(pool, IDS_OF_EXTERNAL_IDS, [externalIds]);
      return new Map(rows.map((row) => [textAt(row, 0), numberAt(row, 1)]));
    },

    list: (page, { ids, plugins = [], externalId = null, search = null }) =>
      (search === null ? PAGE : FOUND_PAGE).read(pool, page, [ids, externalId, search, plugins]),

    change: (id, { name, externalId, logQuota }, author) =>
      inTransaction(pool, 'begin', async (client) => {
        // All transactions lock families before projects.
        if (externalId !== undefined) {
          await lockFamilies(
            client,
            FAMILIES.map((family) => ({ projectId: id, family })),
          );
          await run(client, CHANGE_FAMILIES, [id]);
        }
        // Locks the project even if nothing changes, so audit entries are in the order of the commits.
        const [row] = await run(client, LOCK_PROJECT, [id]);
        if (row === undefined) return null;
        const before = PROJECT.read(row);
        const project = {
          ...before,
          name: name ?? before.name,
          externalId: externalId === undefined ? before.externalId : externalId,
          logQuota: logQuota ?? before.logQuota,
        };
        await change(client, project);
        const subject = { type: 'project', id, name: project.name } as const;
        if (name !== undefined) await insertAudit(client, author, 'project_renamed', subject);
        if (externalId !== undefined)
          await insertAudit(client, author, 'project_external_id_changed', subject);
        if (logQuota !== undefined) await insertAudit(client, author, 'project_quota_changed', subject);
        return project;
      }),
  };
}

function quotaColumns({ entriesPerDay, bytesPerDay }: LogQuota) {
  return { logEntriesPerDay: entriesPerDay, logBytesPerDay: bytesPerDay };
}
