import type {
  administrationEndpoints,
  projectEndpoints,
  WireProject,
  WireProjectPage,
} from '@plugin-config/contract';
import { projectName, projectNotFound, type Project, type ProjectStore } from '@plugin-config/domain';
import { accessOf, sendRead, sendJson } from '@plugin-config/server';
import { listAddress, pageBody } from '../answers/page-links.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';

export interface ProjectDependencies {
  readonly projects: ProjectStore;
  readonly baseUrl: BaseUrl;
}

export function projectHandlers({
  projects,
  baseUrl,
}: ProjectDependencies): Handlers<typeof projectEndpoints> {
  return {
    listProjects: async ({ request, reply, query: page }) => {
      const found = await projects.list(page, accessOf(request).key.projectIds);
      const body: WireProjectPage = pageBody(listAddress(baseUrl, request), page, found, presentProject);
      await sendRead(reply, body);
    },
    retrieveProject: async ({ request, reply }) => {
      const project = await projects.find(accessOf(request).projectId);
      if (project === null) throw projectNotFound();
      await sendRead(reply, presentProject(project));
    },
  };
}

type Changes = Pick<typeof administrationEndpoints, 'createProject' | 'renameProject'>;

export function changeProjectHandlers({ projects, baseUrl }: ProjectDependencies): Handlers<Changes> {
  return {
    createProject: async ({ request, reply, body, author }) => {
      const project = await projects.create(projectName(body.name), author);
      const location = `${baseUrl(request)}/api/projects/${project.id}`;
      sendJson(reply.code(201).header('location', location), presentProject(project));
    },
    renameProject: async ({ request, reply, body, author }) => {
      const { projectId } = accessOf(request);
      const project = await projects.rename(projectId, projectName(body.name), author);
      if (project === null) throw projectNotFound();
      sendJson(reply, presentProject(project));
    },
  };
}

function presentProject({ id, name, createdAt }: Project): WireProject {
  return { id, name, created_at: createdAt.toISOString() };
}
