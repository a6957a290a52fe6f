import { FAMILIES, type Project, type ProjectStore } from '@plugin-config/domain';
import { ConfigFamilyRow } from '../schema/rows/config-family.row.ts';
import type { Database } from '../postgres/database.ts';
import { tracedStatement } from '../postgres/traced-statement.ts';
import { translated } from '../postgres/translate-error.ts';
import { ProjectRow } from '../schema/rows/project.row.ts';

export function postgresProjectStore({ orm }: Pick<Database, 'orm'>): ProjectStore {
  return {
    create: (name, at) =>
      translated(() =>
        orm.em.fork().transactional(async (em) => {
          const row = em.create(ProjectRow, { name, createdAt: at });
          await em.flush();
          for (const family of FAMILIES) em.create(ConfigFamilyRow, { project: row, family });
          return projectOf(row);
        }),
      ),

    find: (id) =>
      translated(
        tracedStatement('find_project', async () => {
          const row = await orm.em.fork().findOne(ProjectRow, id);
          return row && projectOf(row);
        }),
      ),

    list: ({ limit, offset }, ids) =>
      translated(
        tracedStatement('list_projects', async () => {
          const where = ids.length === 0 ? {} : { id: { $in: [...ids] } };
          const options = { limit, offset, orderBy: { id: 'asc' } } as const;
          const [rows, count] = await orm.em.fork().findAndCount(ProjectRow, where, options);
          return { count, items: rows.map(projectOf) };
        }),
      ),

    rename: (id, name) =>
      translated(async () => {
        const em = orm.em.fork();
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
