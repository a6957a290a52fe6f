import type { Guard } from '@plugin-config/server';
import { testServer } from '@plugin-config/server/testing/test-server';
import type { FastifyRequest } from 'fastify';

/** A server without routes, whose guard admits everybody, as the account in the header of this name. */
export function gatedApp(bodyLimit: number) {
  const app = testServer({ bodyLimit });
  const guard: Guard = () => async (request) => {
    const accountId = Number(request.headers['account']);
    const key = { id: accountId, accountId, projectIds: [] };
    request.access = {
      key,
      at: new Date(),
      startedAt: performance.now(),
      timeline: { id: 'a', ended: new AbortController().signal },
    } as unknown as FastifyRequest['access'];
  };
  return { app, guard };
}
