import { FAMILIES, type Project, type ProjectStore } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { tracedStatement } from '../postgres/traced-statement.ts';
import { translated } from '../postgres/translate-error.ts';
import type { ProjectRow } from '../entities/project.row.ts';

export function postgresProjectStore({ entities }: Pick<Database, 'entities'>): ProjectStore {
  return {
    create: (name, at) =>
      translated(async () => {
        const { em, ProjectRow, ConfigFamilyRow } = await entities();
        return em.transactional(async (own) => {
          const row = own.create(ProjectRow, { name, createdAt: at });
          await own.flush();
          for (const family of FAMILIES) own.create(ConfigFamilyRow, { project: row, family });
          return projectOf(row);
        });
      }),

    find: (id) =>
      translated(
        tracedStatement('find_project', async () => {
          const { em, ProjectRow } = await entities();
          const row = await em.findOne(ProjectRow, id);
          return row && projectOf(row);
        }),
      ),

    list: ({ limit, offset }, ids) =>
      translated(
        tracedStatement('list_projects', async () => {
          const { em, ProjectRow } = await entities();
          const where = ids.length === 0 ? {} : { id: { $in: [...ids] } };
          const options = { limit, offset, orderBy: { id: 'asc' } } as const;
          const [rows, count] = await em.findAndCount(ProjectRow, where, options);
          return { count, items: rows.map(projectOf) };
        }),
      ),

    rename: (id, name) =>
      translated(async () => {
        const { em, ProjectRow } = await entities();
        const row = await em.findOne(ProjectRow, id);
        if (row === null) return null;
        row.name = name;
        await em.flush();
        return projectOf(row);
      }),
  };
}

function projectOf({ id, name, createdAt }: ProjectRow): Project {
  return { id, name, createdAt };
}
