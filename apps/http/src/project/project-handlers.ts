import type {
  administrationEndpoints,
  projectEndpoints,
  WireProject,
  WireProjectPage,
  WireUsage,
} from '@plugin-config/contract';
import {
  checkGranted,
  isLimited,
  isoDay,
  projectName,
  projectNotFound,
  quotaOf,
  readUsage,
  type Clock,
  type DayOfUsage,
  type LogQuota,
  type LogUsageStore,
  type Project,
  type ProjectStore,
} from '@plugin-config/domain';
import { accessOf, sendRead, sendJson } from '@plugin-config/server';
import { overviewHandler, type OverviewDependencies } from '../overview/overview-handler.ts';
import { listAddress, pageBody } from '../responses/page-links.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';

export interface ProjectDependencies {
  readonly projects: ProjectStore;
  readonly usage: LogUsageStore;
  readonly clock: Clock;
  /** The quota of projects that do not set their own. */
  readonly logQuota: LogQuota;
  readonly baseUrl: BaseUrl;
}

export function projectHandlers(
  dependencies: ProjectDependencies & OverviewDependencies,
): Handlers<typeof projectEndpoints> {
  const { projects, logQuota, baseUrl } = dependencies;
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
    retrieveUsage: async ({ request, reply }) => {
      const project = await projects.find(accessOf(request).projectId);
      if (project === null) throw projectNotFound();
      const body: WireUsage = {
        quota: presentQuota(quotaOf(project.logQuota, logQuota)),
        days: (await readUsage(dependencies, project.id)).map(presentDay),
      };
      await sendRead(reply, body);
    },
    retrieveOverview: overviewHandler(dependencies),
  };
}

type ChangeEndpoints = Pick<typeof administrationEndpoints, 'createProject' | 'updateProject'>;

export function changeProjectHandlers({
  projects,
  baseUrl,
}: Pick<ProjectDependencies, 'projects' | 'baseUrl'>): Handlers<ChangeEndpoints> {
  return {
    createProject: async ({ request, reply, body, author }) => {
      const project = await projects.create(projectName(body.name), author);
      const location = `${baseUrl(request)}/api/projects/${project.id}`;
      sendJson(reply.code(201).header('location', location), presentProject(project));
    },
    updateProject: async ({ request, reply, body: { name, log_quota: quota }, author }) => {
      const { key, projectId } = accessOf(request);
      if (quota !== undefined) checkGranted(key, '*');
      const change = {
        ...(name !== undefined && { name: projectName(name) }),
        ...(quota !== undefined && { logQuota: readQuota(quota) }),
      };
      const project = await projects.change(projectId, change, author);
      if (project === null) throw projectNotFound();
      sendJson(reply, presentProject(project));
    },
  };
}

interface QuotaBody {
  readonly entries_per_day?: number | null | undefined;
  readonly bytes_per_day?: number | null | undefined;
}

function readQuota(quota: QuotaBody | null): LogQuota {
  return { entriesPerDay: quota?.entries_per_day ?? null, bytesPerDay: quota?.bytes_per_day ?? null };
}

function presentProject({ id, name, createdAt, logQuota }: Project): WireProject {
  return {
    id,
    name,
    created_at: createdAt.toISOString(),
    log_quota: isLimited(logQuota) ? presentQuota(logQuota) : null,
  };
}

function presentQuota({ entriesPerDay, bytesPerDay }: LogQuota): WireUsage['quota'] {
  return { entries_per_day: entriesPerDay, bytes_per_day: bytesPerDay };
}

function presentDay({ day, entries, bytes, overQuota }: DayOfUsage): WireUsage['days'][number] {
  return { day: isoDay(day), entries, bytes, over_quota: overQuota };
}
