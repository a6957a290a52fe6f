import { FAMILIES, NO_QUOTA, type LogQuota, type Project, type ProjectStore } from '@plugin-config/domain';
import { insertAudit } from '../audit/insert-audit.ts';
import { addDataKey } from '../configuration/data-keys.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { ProjectRow } from '../entities/project.row.ts';
import { columns } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { pageOf } from '../postgres/read-page.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { rowOf, writtenOf } from '../postgres/table.ts';

const ROW = rowOf(ProjectRow, 'p');

const PROJECT = columns((row): Project => {
  const { logEntriesPerDay: entriesPerDay, logBytesPerDay: bytesPerDay, ...project } = row.all(ROW);
  return { ...project, logQuota: { entriesPerDay, bytesPerDay } };
});

const WRITTEN = writtenOf(ProjectRow, ['id']);
const CHANGED = writtenOf(ProjectRow, ['id', 'createdAt']);

const INSERT_PROJECT: Statement = {
  name: 'insert_project',
  text: `insert into project as p (${WRITTEN.names}) values (${WRITTEN.parameters(1)}) returning ${PROJECT.sql}`,
};

const INSERT_FAMILIES: Statement = {
  name: 'insert_families',
  text: 'insert into config_family (project_id, family) select $1, unnest($2::text[])',
};

const FIND_PROJECT: Statement = {
  name: 'find_project',
  text: `select ${PROJECT.sql} from project p where p.id = $1`,
};

const LOCK_PROJECT: Statement = { name: 'lock_project_to_change', text: `${FIND_PROJECT.text} for update` };

const CHANGE_PROJECT: Statement = {
  name: 'change_project',
  text: `update project p set ${CHANGED.assignments(2)} where p.id = $1`,
};

const PAGE = pageOf({
  name: 'page_of_projects',
  item: PROJECT,
  from: 'project p where cardinality($3::bigint[]) = 0 or p.id = any ($3)',
  order: 'id',
});

export function postgresProjectStore({
  pool,
  masterKeys,
}: Pick<EncryptedDatabase, 'pool' | 'masterKeys'>): ProjectStore {
  return {
    create: (name, author) =>
      inTransaction(pool, 'begin', async (client) => {
        const values = WRITTEN.values({ name, createdAt: author.at, ...quotaColumns(NO_QUOTA) });
        const [row = []] = await run(client, INSERT_PROJECT, values);
        const project = PROJECT.read(row);
        await addDataKey(client, masterKeys, project.id);
        await run(client, INSERT_FAMILIES, [project.id, FAMILIES]);
        await insertAudit(client, author, 'project_created', { type: 'project', id: project.id, name });
        return project;
      }),

    find: async (id) => {
      const [row] = await run(pool, FIND_PROJECT, [id]);
      return row === undefined ? null : PROJECT.read(row);
    },

    list: (page, ids) => PAGE.read(pool, page, [ids]),

    change: (id, { name, logQuota }, author) =>
      inTransaction(pool, 'begin', async (client) => {
        // Locks the project even if nothing changes, so audit entries are in the order of the commits.
        const [row] = await run(client, LOCK_PROJECT, [id]);
        if (row === undefined) return null;
        const before = PROJECT.read(row);
        const project = { ...before, name: name ?? before.name, logQuota: logQuota ?? before.logQuota };
        const values = CHANGED.values({ name: project.name, ...quotaColumns(project.logQuota) });
        await run(client, CHANGE_PROJECT, [id, ...values]);
        const subject = { type: 'project', id, name: project.name } as const;
        if (name !== undefined) await insertAudit(client, author, 'project_renamed', subject);
        if (logQuota !== undefined) await insertAudit(client, author, 'project_quota_changed', subject);
        return project;
      }),
  };
}

function quotaColumns({ entriesPerDay, bytesPerDay }: LogQuota) {
  return { logEntriesPerDay: entriesPerDay, logBytesPerDay: bytesPerDay };
}
