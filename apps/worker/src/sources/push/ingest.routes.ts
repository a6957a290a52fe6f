import type { WireIngestReport } from '@plugin-config/contract';
import { deadDetail, type Randomness } from '@plugin-config/domain';
import { sendJson, type Guard } from '@plugin-config/server';
import type { FastifyInstance } from 'fastify';
import { checkNdjson } from './check-media.ts';
import type { PushSource } from './push-source.ts';
import { receivePush } from './receive-push.ts';

interface Dependencies {
  readonly guard: Guard;
  readonly push: PushSource;
  readonly randomness: Randomness;
}

/** Receives NDJSON and responds after the commit. */
export function ingestRoutes(app: FastifyInstance, dependencies: Dependencies): void {
  const { guard, push, randomness } = dependencies;
  const onRequest = guard({ scope: 'plugin_log:write', needs: 'key' });
  app.post('/ingest', { onRequest }, (request, reply) =>
    receivePush({ request, reply, randomness, checkMedia: checkNdjson }, async ({ body, sender }) => {
      const { deadLines, ...counts } = await push.push(body, sender);
      const errors = deadLines.map(({ position, reason }) => ({
        line: position + 1,
        reason,
        detail: deadDetail(reason),
      }));
      const report: WireIngestReport = { ...counts, ...(errors.length > 0 && { errors }) };
      sendJson(reply, report);
    }),
  );
}
