import { pageQuery, type WireProject, type WireProjectPage } from '@plugin-config/contract';
import { projectNotFound, type Project, type ProjectStore } from '@plugin-config/domain';
import { type Guard, accessOf, sendJson } from '@plugin-config/service';
import type { FastifyInstance } from 'fastify';
import { pageLinks } from '../answers/page-links.ts';
import { checked } from '../requests/checked.ts';
import { listAddress } from '../requests/list-address.ts';
import type { Origin } from '../requests/origin.ts';

interface Dependencies {
  readonly guard: Guard;
  readonly projects: ProjectStore;
  readonly origin: Origin;
}

export function projectRoutes(app: FastifyInstance, { guard, projects, origin }: Dependencies): void {
  const route = { onRequest: guard({}) };

  app.get('/api/projects', route, async (request, reply) => {
    const page = checked(pageQuery, request.query);
    const found = await projects.list(page, accessOf(request).key.projectIds);
    const links = pageLinks(listAddress(origin, request), page, found);
    const body: WireProjectPage = { count: found.count, ...links, results: found.items.map(presentProject) };
    sendJson(reply, body);
  });

  app.get('/api/projects/:project_id', route, async (request, reply) => {
    const project = await projects.find(accessOf(request).projectId);
    if (project === null) throw projectNotFound();
    sendJson(reply, presentProject(project));
  });
}

function presentProject({ id, name, createdAt }: Project): WireProject {
  return { id, name, created_at: createdAt.toISOString() };
}
