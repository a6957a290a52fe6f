import { camelCased, erasure, externalIdIn, idIn, presenter, type PathParams } from '@plugin-config/contract';
import { erasureState, notFound, projectNotFound, type Erasure } from '@plugin-config/domain';
import { sendJson, sendRead } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import { sendPage } from '../responses/page-links.ts';
import type { HandlersOf } from '../endpoints/handler.ts';
import type { Services } from '../services.ts';

export function erasureHandlers({
  erasures,
  projects,
  baseUrl,
}: Services): HandlersOf<'deleteProject' | 'listErasures' | 'retrieveErasure'> {
  return {
    deleteProject: async ({ request, reply, body: { name }, author }) => {
      const externalId = externalIdIn((request.params as PathParams).project_id ?? '');
      const projectId =
        externalId === null ? projectIdOf(request) : (await projects.idsOf([externalId])).get(externalId);
      if (projectId == null) throw projectNotFound();
      const started = await erasures.start(projectId, name, author);
      const location = `${baseUrl(request)}/api/erasures/${projectId}`;
      sendJson(reply.code(202).header('location', location), presentErasure(started));
    },
    listErasures: async ({ reply, query: page }) => {
      const found = await erasures.page(page);
      await sendPage({ reply, baseUrl, page }, found, presentErasure);
    },
    retrieveErasure: async ({ request, reply }) => {
      const projectId = projectIdOf(request);
      const found = projectId === null ? null : await erasures.find(projectId);
      if (found === null) throw notFound();
      await sendRead(reply, presentErasure(found));
    },
  };
}

/** Returns the id of the project in the path, which need not exist; null if it is not a valid id. */
function projectIdOf({ params }: FastifyRequest): number | null {
  return idIn(params as PathParams, 'project_id');
}

const presentErasure = presenter(erasure, {
  counts: ({ counts }: Erasure) => camelCased({})(counts),
  state: erasureState,
});
