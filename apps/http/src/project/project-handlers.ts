import {
  externalIdIn,
  presenter,
  project,
  usage,
  type PathParams,
  type projectEndpoints,
} from '@plugin-config/contract';
import {
  checkGranted,
  deadDetail,
  DomainError,
  externalIdOf,
  isLimited,
  NO_QUOTA,
  projectName,
  projectNotFound,
  quotaOf,
  readUsage,
  type Project,
} from '@plugin-config/domain';
import { accessOf, sendRead, sendJson } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { overviewHandler } from '../overview/overview-handler.ts';
import { sendPage } from '../responses/page-links.ts';
import type { Handlers, HandlersOf } from '../endpoints/handler.ts';
import type { Services } from '../services.ts';

const ONE = { limit: 1, offset: 0 };

export function projectHandlers(dependencies: Services): Handlers<typeof projectEndpoints> {
  const { projects, deadLetters, logQuota, baseUrl } = dependencies;
  return {
    listProjects: async ({ request, reply, query: { external_id: externalId, search, ...page } }) => {
      const { projectIds: ids, pluginIds: plugins } = accessOf(request).key;
      const found = await projects.list(page, { ids, plugins, externalId, search });
      await sendPage({ reply, baseUrl, page }, found, presentProject);
    },
    retrieveProject: async ({ request, reply }) => {
      const { projectId, key } = accessOf(request);
      const { items } = await projects.list(ONE, { ids: [projectId], plugins: key.pluginIds });
      const [found] = items;
      if (found === undefined) throw projectNotFound();
      await sendRead(reply, presentProject(found));
    },
    retrieveUsage: async ({ request, reply }) => {
      const found = await projects.find(accessOf(request).projectId);
      if (found === null) throw projectNotFound();
      const quota = quotaOf(found.logQuota, logQuota);
      await sendRead(reply, presentUsage({ quota, days: await readUsage(dependencies, found.id) }));
    },
    listDeadLetters: async ({ request, reply, query: page }) => {
      const found = await deadLetters.page(accessOf(request).projectId, page);
      await sendPage({ reply, baseUrl, page }, found, (letter) => ({
        id: letter.id,
        plugin_config_id: letter.recordId,
        reason: letter.reason,
        detail: deadDetail(letter.reason),
        received_at: letter.receivedAt.toISOString(),
        channel: letter.channel,
        text: letter.text,
      }));
    },
    retrieveOverview: overviewHandler(dependencies),
  };
}

export function changeProjectHandlers({
  projects,
  baseUrl,
}: Services): HandlersOf<'createProject' | 'putProject' | 'updateProject'> {
  const sendNew = (request: FastifyRequest, reply: FastifyReply, created: Project): void => {
    const location = `${baseUrl(request)}/api/projects/${created.id}`;
    sendJson(reply.code(201).header('location', location), presentProject(created));
  };
  return {
    createProject: async ({ request, reply, body: { name, external_id: externalId }, author }) => {
      sendNew(request, reply, await projects.create({ name: projectName(name), externalId }, author));
    },
    putProject: async ({ request, reply, body: { name, external_id: sent }, author }) => {
      const { project_id: ref = '' } = request.params as PathParams;
      const externalId = externalIdOf(externalIdIn(ref) ?? '');
      if (sent !== undefined && sent !== externalId) throw notThatOfPath();
      const { project: found, isNew } = await projects.put(externalId, name && projectName(name), author);
      if (isNew) sendNew(request, reply, found);
      else sendJson(reply, presentProject(found));
    },
    updateProject: async ({
      request,
      reply,
      body: { name, external_id: externalId, log_quota: quota },
      author,
    }) => {
      const { key, projectId } = accessOf(request);
      if (quota !== undefined) checkGranted(key, '*');
      const change = {
        ...(name !== undefined && { name: projectName(name) }),
        ...(externalId !== undefined && { externalId }),
        ...(quota !== undefined && { logQuota: quota ?? NO_QUOTA }),
      };
      const changed = await projects.change(projectId, change, author);
      if (changed === null) throw projectNotFound();
      sendJson(reply, presentProject(changed));
    },
  };
}

function notThatOfPath(): DomainError {
  return new DomainError('invalid_input', 'This must be the external id in the path.', {
    attr: 'external_id',
  });
}

const presentProject = presenter(project, {
  log_quota: ({ logQuota }: Project) => (isLimited(logQuota) ? logQuota : null),
});
const presentUsage = presenter(usage);
