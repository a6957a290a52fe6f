import { utf8Length, FAMILIES, type Project, type ProjectStore } from '@plugin-config/domain';
import type { MemoryDatabase } from './memory-database.ts';
import { familyKey } from './memory-state.ts';
import { audit } from './memory-audit-log.ts';
import { pageOf } from './page-of.ts';

export function memoryProjectStore(db: MemoryDatabase): ProjectStore {
  return {
    create: (name, author) =>
      db.change((state) => {
        const { projects, families } = state;
        const project: Project = { id: projects.size + 1, name, createdAt: author.at };
        audit(state, author, 'project_created', { type: 'project', id: project.id, name });
        projects.set(project.id, project);
        for (const family of FAMILIES) {
          families.set(familyKey({ projectId: project.id, family }), {
            revision: 1,
            listVersion: 1,
            orderRevision: 1,
          });
        }
        return project;
      }),

    find: async (id) => db.state.projects.get(id) ?? null,

    list: async (page, ids) =>
      pageOf(
        [...db.state.projects.values()].filter(({ id }) => ids.length === 0 || ids.includes(id)),
        page,
        ({ name }) => utf8Length(name),
      ),

    rename: (id, name, author) =>
      db.change((state) => {
        const { projects } = state;
        const project = projects.get(id);
        if (project === undefined) return null;
        const renamed = { ...project, name };
        projects.set(id, renamed);
        audit(state, author, 'project_renamed', { type: 'project', id, name });
        return renamed;
      }),
  };
}
