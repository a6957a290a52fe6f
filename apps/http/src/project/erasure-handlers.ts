import {
  idIn,
  type PathParams,
  type administrationEndpoints,
  type WireErasure,
} from '@plugin-config/contract';
import { notFound, projectNotFound, type Erasure, type ErasureStore } from '@plugin-config/domain';
import { sendJson, sendRead } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import { listAddress, pageBody } from '../responses/page-links.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';

export interface ErasureDependencies {
  readonly erasures: ErasureStore;
  readonly baseUrl: BaseUrl;
}

type Endpoints = Pick<typeof administrationEndpoints, 'deleteProject' | 'listErasures' | 'retrieveErasure'>;

export function erasureHandlers({ erasures, baseUrl }: ErasureDependencies): Handlers<Endpoints> {
  return {
    deleteProject: async ({ request, reply, body: { name }, author }) => {
      const projectId = projectIdOf(request);
      if (projectId === null) throw projectNotFound();
      const erasure = await erasures.start(projectId, name, author);
      const location = `${baseUrl(request)}/api/erasures/${projectId}`;
      sendJson(reply.code(202).header('location', location), presentErasure(erasure));
    },
    listErasures: async ({ request, reply, query: page }) => {
      const found = await erasures.page(page);
      await sendRead(reply, pageBody(listAddress(baseUrl, request), page, found, presentErasure));
    },
    retrieveErasure: async ({ request, reply }) => {
      const projectId = projectIdOf(request);
      const erasure = projectId === null ? null : await erasures.find(projectId);
      if (erasure === null) throw notFound();
      await sendRead(reply, presentErasure(erasure));
    },
  };
}

/** Returns the id of the project in the path, which need not exist; null if it is not a valid id. */
function projectIdOf({ params }: FastifyRequest): number | null {
  return idIn(params as PathParams, 'project_id');
}

function presentErasure({ projectId, counts, startedAt, finishedAt }: Erasure): WireErasure {
  return {
    project_id: projectId,
    state: finishedAt === null ? 'running' : 'done',
    counts: { ...counts },
    started_at: startedAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
  };
}
