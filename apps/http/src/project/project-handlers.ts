import type { projectEndpoints, WireProject, WireProjectPage } from '@plugin-config/contract';
import { projectNotFound, type Project, type ProjectStore } from '@plugin-config/domain';
import { accessOf, sendRead } from '@plugin-config/server';
import { listAddress, pageLinks } from '../answers/page-links.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';

interface Dependencies {
  readonly projects: ProjectStore;
  readonly baseUrl: BaseUrl;
}

export function projectHandlers({ projects, baseUrl }: Dependencies): Handlers<typeof projectEndpoints> {
  return {
    listProjects: async ({ request, reply, query: page }) => {
      const found = await projects.list(page, accessOf(request).key.projectIds);
      const links = pageLinks(listAddress(baseUrl, request), page, found);
      const body: WireProjectPage = {
        count: found.count,
        ...links,
        results: found.items.map(presentProject),
      };
      await sendRead(reply, body);
    },
    retrieveProject: async ({ request, reply }) => {
      const project = await projects.find(accessOf(request).projectId);
      if (project === null) throw projectNotFound();
      await sendRead(reply, presentProject(project));
    },
  };
}

function presentProject({ id, name, createdAt }: Project): WireProject {
  return { id, name, created_at: createdAt.toISOString() };
}
