import { FAMILIES, NO_QUOTA, type LogQuota, type Project, type ProjectStore } from '@plugin-config/domain';
import { audit } from '../audit/postgres-audit-log.ts';
import { newWrappedKey } from '../configuration/data-keys.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import type { ProjectRow } from '../entities/project.row.ts';

export function postgresProjectStore({
  entities,
  masterKeys,
}: Pick<EncryptedDatabase, 'entities' | 'masterKeys'>): ProjectStore {
  return {
    create: (name, author) =>
      entities('create_project', ({ em, ProjectRow, ProjectKeyRow, ConfigFamilyRow, AuditRow }) =>
        em.transactional(async (tx) => {
          const row = tx.create(ProjectRow, { name, createdAt: author.at, ...quotaColumns(NO_QUOTA) });
          await tx.flush();
          tx.create(ProjectKeyRow, newWrappedKey(masterKeys, row.id));
          for (const family of FAMILIES) tx.create(ConfigFamilyRow, { project: row, family });
          audit({ em: tx, AuditRow }, author, 'project_created', { type: 'project', id: row.id, name });
          return projectOf(row);
        }),
      ),

    find: (id) =>
      entities('find_project', async ({ em, ProjectRow }) => {
        const row = await em.findOne(ProjectRow, id);
        return row && projectOf(row);
      }),

    list: ({ limit, offset }, ids) =>
      entities('list_projects', async ({ em, ProjectRow }) => {
        const where = ids.length === 0 ? {} : { id: { $in: [...ids] } };
        const options = { limit, offset, orderBy: { id: 'asc' } } as const;
        const [rows, count] = await em.findAndCount(ProjectRow, where, options);
        return { count, items: rows.map(projectOf) };
      }),

    change: (id, { name, logQuota }, author) =>
      entities('change_project', ({ em, ProjectRow, AuditRow }) =>
        em.transactional(async (tx) => {
          const columns = { ...(name !== undefined && { name }), ...(logQuota && quotaColumns(logQuota)) };
          // Locks the project even if nothing changes, so audit entries are in the order of the commits.
          if ((await tx.nativeUpdate(ProjectRow, id, { id, ...columns })) === 0) return null;
          const project = projectOf(await tx.findOneOrFail(ProjectRow, id));
          const addEntry = (action: 'project_renamed' | 'project_quota_changed'): void =>
            audit({ em: tx, AuditRow }, author, action, { type: 'project', id, name: project.name });
          if (name !== undefined) addEntry('project_renamed');
          if (logQuota !== undefined) addEntry('project_quota_changed');
          return project;
        }),
      ),
  };
}

function quotaColumns({ entriesPerDay, bytesPerDay }: LogQuota) {
  return { logEntriesPerDay: entriesPerDay, logBytesPerDay: bytesPerDay };
}

function projectOf({ id, name, createdAt, logEntriesPerDay, logBytesPerDay }: ProjectRow): Project {
  return { id, name, createdAt, logQuota: { entriesPerDay: logEntriesPerDay, bytesPerDay: logBytesPerDay } };
}
